#!/usr/bin/env bash
# gradle.sh DIR: builds a working Gradle 8.8 under DIR/gradle-8.8 out of
# artifacts of Maven Central (the distribution itself is not published there).
#
# dev.gradleplugins:gradle-api:8.8 is Gradle's whole runtime in one jar, its
# libraries moved to org.gradle.internal.impldep. This undoes the move, adds
# Groovy and Kotlin's library, and lays a distribution's folders around it: one
# jar with everything, and one with only its *-classpath.properties per module.
# Good for Groovy-DSL builds with Java and JUnit; not there: build.gradle.kts,
# incremental Java compilation (bin/gradle switches it off), the
# instrumentation agent (switched off too), `--version`.
set -euo pipefail
die() { echo "gradle.sh: $*" >&2; exit 1; }
[ $# -eq 1 ] || die "usage: gradle.sh DIR"
V=8.8 GROOVY=3.0.21 KOTLIN=1.9.22
for t in mvn python3 java javac; do command -v $t >/dev/null || die "$t not found"; done
mkdir -p "$1"; dir=$(cd "$1" && pwd -P); home=$dir/gradle-$V
[ ! -x "$home/bin/gradle" ] || { echo "gradle.sh: $home is there" >&2; exit 0; }
work=$(mktemp -d "$dir/.gradle8.XXXXXX"); trap 'rm -rf "$work"' EXIT
out=$work/home; mkdir -p "$out/lib/plugins" "$out/bin" "$out/init.d" "$work/classes"
dep() { echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version></dependency>"; }
deps=$(dep dev.gradleplugins gradle-api $V); extra=
for a in '' -ant -astbuilder -console -datetime -dateutil -docgenerator -groovydoc -json -nio -sql -swing -templates -test -xml; do
  deps+=$(dep org.codehaus.groovy groovy$a $GROOVY); extra+=,groovy$a-$GROOVY.jar
done
for a in stdlib reflect; do deps+=$(dep org.jetbrains.kotlin kotlin-$a $KOTLIN); extra+=,kotlin-$a-$KOTLIN.jar; done
echo "<project><modelVersion>4.0.0</modelVersion><groupId>x</groupId><artifactId>x</artifactId><version>1</version><dependencies>$deps</dependencies></project>" >"$work/pom.xml"
mvn -q -B -f "$work/pom.xml" org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
  -DexcludeTransitive=true -DoutputDirectory="$out/lib" || die "download from Maven Central failed"
mv "$out/lib/gradle-api-$V.jar" "$work/api.jar"

mkdir -p "$work/src"
cat >"$work/src/InstallationBeacon.java" <<'JAVA'
package org.gradle.internal.installation.beacon;
public class InstallationBeacon {}
JAVA
cat >"$work/src/IncrementalCompileTask.java" <<'JAVA'
package org.gradle.internal.compiler.java;
import java.io.File; import java.util.*; import java.util.function.*; import javax.tools.JavaCompiler;
/** Stands in for the javac plugin that is not in the API jar: compiles, records nothing. */
public class IncrementalCompileTask implements JavaCompiler.CompilationTask {
  private final JavaCompiler.CompilationTask task;
  public IncrementalCompileTask(JavaCompiler.CompilationTask task, Function<File, Optional<String>> relativize, Consumer<String> backup,
      Consumer<Map<String, Set<String>>> classes, BiConsumer<String, String> publicUses, BiConsumer<String, String> privateUses) { this.task = task; }
  public void addModules(Iterable<String> modules) {}
  public void setProcessors(Iterable<? extends javax.annotation.processing.Processor> processors) { task.setProcessors(processors); }
  public void setLocale(Locale locale) { task.setLocale(locale); }
  public Boolean call() { return task.call(); }
}
JAVA
javac -nowarn -source 8 -target 8 -d "$work/classes" "$work"/src/*.java 2>/dev/null || die "javac failed"

python3 - "$work/api.jar" "$out/lib" "$V" "${extra#,}" "$work/classes" <<'PY'
import os, re, struct, sys, zipfile
src, lib, ver, extra, classes = sys.argv[1:6]
SLASH, DOT = b'org/gradle/internal/impldep/', b'org.gradle.internal.impldep.'
SIZE = {7: 2, 8: 2, 16: 2, 19: 2, 20: 2, 3: 4, 4: 4, 9: 4, 10: 4, 11: 4, 12: 4, 17: 4, 18: 4, 15: 3, 5: 8, 6: 8}
def back(b): return b.replace(SLASH, b'').replace(DOT, b'')
def back_class(d):  # rewrites the text entries of the constant pool
    if SLASH not in d and DOT not in d: return d
    n, o, i, out = struct.unpack('>H', d[8:10])[0], 10, 1, [d[:10]]
    while i < n:
        t = d[o]
        if t == 1:
            l = struct.unpack('>H', d[o+1:o+3])[0]; s = back(d[o+3:o+3+l])
            out.append(b'\x01' + struct.pack('>H', len(s)) + s); o += 3 + l
        else:
            out.append(d[o:o+1+SIZE[t]]); o += 1 + SIZE[t]
            if t in (5, 6): i += 1
        i += 1
    return b''.join(out + [d[o:]])
jar = lambda name: os.path.join(lib, name)
main = 'gradle-base-services'
props, seen = {}, set()
fat = zipfile.ZipFile(jar('%s-%s.jar' % (main, ver)), 'w', zipfile.ZIP_STORED)
api = zipfile.ZipFile(src)
for e in api.infolist():
    n = back(e.filename.encode()).decode()
    if not n or n.endswith('/') or n == 'META-INF/MANIFEST.MF' or '.gradle-runtime-shaded' in n or 'META-INF/versions/' in n: continue
    if re.match(r'META-INF/services/(java|javax|org\.junit)\b', n): continue  # would reach every JVM started with the jar
    d = api.read(e)
    if n.endswith('-classpath.properties') and '/' not in n:
        props[n[:-len('-classpath.properties')]] = dict(l.split('=', 1) for l in d.decode().splitlines() if '=' in l and l[0] != '#'); continue
    if n in seen: continue
    seen.add(n)
    fat.writestr(n, back_class(d) if n.endswith('.class') else back(d))
items = lambda p, k: [x for x in p.get(k, '').split(',') if x]
def add(z, root, prefix):
    for d, _, fs in os.walk(os.path.join(root, prefix)):
        for f in fs: p = os.path.join(d, f); z.write(p, os.path.relpath(p, root))
modules = set(props) | {'gradle-instrumentation-agent', 'gradle-kotlin-dsl', 'gradle-java-compiler-plugin'}
for p in list(props.values()): modules |= set(items(p, 'projects'))
external = set()
for m in modules:
    p = props.get(m, {}); runtime = items(p, 'runtime'); external |= set(runtime)
    if m == main: runtime += extra.split(',')
    body = 'projects=%s\nruntime=%s\n' % (','.join(items(p, 'projects')), ','.join(runtime))
    if m == main: fat.writestr(m + '-classpath.properties', body); continue
    with zipfile.ZipFile(jar('%s-%s.jar' % (m, ver)), 'w') as z:
        z.writestr('META-INF/MANIFEST.MF', 'Manifest-Version: 1.0\nClass-Path: %s-%s.jar\n\n' % (main, ver))
        z.writestr(m + '-classpath.properties', body)
        if m == 'gradle-java-compiler-plugin': add(z, classes, 'org/gradle/internal/compiler')
add(fat, classes, 'org/gradle/internal/installation')
fat.close()
for x in external:
    if not os.path.exists(jar(x)):
        with zipfile.ZipFile(jar(x), 'w') as z: z.writestr('META-INF/MANIFEST.MF', 'Manifest-Version: 1.0\n\n')
PY

echo 'gradle.lifecycle.beforeProject { tasks.withType(JavaCompile).configureEach { options.incremental = false } }' >"$out/init.d/no-incremental.gradle"
echo 'org.gradle.internal.instrumentation.agent=false' >"$out/gradle.properties"
cat >"$out/bin/gradle" <<'SH'
#!/bin/sh
home=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd -P)
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xms64m -Xmx64m -cp "$home/lib/gradle-launcher-8.8.jar" org.gradle.launcher.GradleMain "$@"
SH
chmod +x "$out/bin/gradle"
# Another process may have been faster.
mv -T "$out" "$home" 2>/dev/null || [ -x "$home/bin/gradle" ] || die "cannot move it to $home"
echo "gradle.sh: $home/bin/gradle" >&2
