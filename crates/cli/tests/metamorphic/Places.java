import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Finds places for edits in programs: {@code java Places FILE...} prints one line per place, fields separated by tabs.
 *
 * <pre>
 * file      PATH
 * insert    OFFSET       CLASS KIND        a member may stand here; KIND is CLASS, INTERFACE, ENUM or RECORD
 * method    START END    CLASS             a method or constructor that is written out
 * nested    START END    CLASS             a member class; CLASS is the one around it
 * literal   START END    KIND  MEMBERS     MEMBERS: the expected changes in the notation of `tamis diff`, one or
 * operator  START END    OP    MEMBERS     several with `|` between them, constructors without their parameters; or ?
 * </pre>
 */
public final class Places extends TreePathScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final String text;
    private final Trees trees;
    private final SourcePositions positions;
    private final Elements elements;
    private final Types types;

    public static void main(String[] files) throws Exception {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        for (String file : files) {
            try (StandardJavaFileManager manager = javac.getStandardFileManager(null, null, null)) {
                JavacTask task = (JavacTask) javac.getTask(
                        null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjects(new File(file)));
                CompilationUnitTree unit = task.parse().iterator().next();
                task.analyze();
                System.out.println("file\t" + file);
                new Places(task, unit).scan(unit, null);
            }
        }
    }

    private Places(JavacTask task, CompilationUnitTree unit) throws Exception {
        this.unit = unit;
        text = unit.getSourceFile().getCharContent(true).toString();
        trees = Trees.instance(task);
        positions = trees.getSourcePositions();
        elements = task.getElements();
        types = task.getTypes();
    }

    @Override
    public Void visitClass(ClassTree tree, Void unused) {
        TypeElement type = (TypeElement) trees.getElement(getCurrentPath());
        String name = elements.getBinaryName(type).toString();
        for (Tree member : tree.getMembers()) {
            if (!isWritten(member)) {
                continue;
            }
            long start = start(member);
            long end = end(member);
            boolean constant = member instanceof VariableTree
                    && trees.getElement(new TreePath(getCurrentPath(), member)).getKind() == ElementKind.ENUM_CONSTANT;
            if (!constant && type.getKind() != ElementKind.ANNOTATION_TYPE) {
                print("insert", start, name, type.getKind());
                print("insert", end, name, type.getKind());
            }
            if (member instanceof MethodTree) {
                print("method", start, end, name);
            } else if (member instanceof ClassTree) {
                print("nested", start, end, name);
            }
        }
        return super.visitClass(tree, unused);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void unused) {
        return isWritten(tree) ? super.visitMethod(tree, unused) : null;
    }

    @Override
    public Void visitVariable(VariableTree tree, Void unused) {
        return isWritten(tree) ? super.visitVariable(tree, unused) : null;
    }

    @Override
    public Void visitLiteral(LiteralTree tree, Void unused) {
        if (end(tree) > start(tree)) {
            print("literal", start(tree), end(tree), tree.getKind(), members());
        }
        return super.visitLiteral(tree, unused);
    }

    @Override
    public Void visitBinary(BinaryTree tree, Void unused) {
        operator(end(tree.getLeftOperand()), start(tree.getRightOperand()));
        return super.visitBinary(tree, unused);
    }

    @Override
    public Void visitCompoundAssignment(CompoundAssignmentTree tree, Void unused) {
        operator(end(tree.getVariable()), start(tree.getExpression()));
        return super.visitCompoundAssignment(tree, unused);
    }

    @Override
    public Void visitUnary(UnaryTree tree, Void unused) {
        if (start(tree) < start(tree.getExpression())) {
            operator(start(tree), start(tree.getExpression()));
        } else {
            operator(end(tree.getExpression()), end(tree));
        }
        return super.visitUnary(tree, unused);
    }

    private void operator(long from, long to) {
        String between = text.substring((int) from, (int) to);
        String op = between.replaceAll("[\\s()]", "");
        if (!op.isEmpty() && between.contains(op)) {
            long start = from + between.indexOf(op);
            print("operator", start, start + op.length(), op, members());
        }
    }

    /** The expected change if the code at hand changes; ? if that is not the code of exactly one member. */
    private String members() {
        TreePath path = getCurrentPath();
        for (; path != null; path = path.getParentPath()) {
            Tree tree = path.getLeaf();
            TreePath around = path.getParentPath();
            if (tree instanceof AnnotationTree) {
                return "?";
            }
            if (tree instanceof VariableTree && ((VariableElement) trees.getElement(path)).getConstantValue() != null) {
                return "?"; // A constant is inlined wherever it is used.
            }
            if (around == null || !(around.getLeaf() instanceof ClassTree)) {
                continue;
            }
            TypeElement type = (TypeElement) trees.getElement(around);
            String name = elements.getBinaryName(type).toString();
            if (tree instanceof MethodTree) {
                ExecutableElement method = (ExecutableElement) trees.getElement(path);
                return type.getKind() == ElementKind.ANNOTATION_TYPE ? "?" : member(name, method);
            }
            if (tree instanceof VariableTree) {
                Element field = trees.getElement(path);
                boolean isStatic = field.getModifiers().contains(Modifier.STATIC);
                return isStatic ? "CSI " + name + ".<clinit>()V" : constructors((ClassTree) around.getLeaf(), name);
            }
            if (tree instanceof BlockTree) {
                boolean isStatic = ((BlockTree) tree).isStatic();
                return isStatic ? "CSI " + name + ".<clinit>()V" : constructors((ClassTree) around.getLeaf(), name);
            }
        }
        return "?";
    }

    private static String constructors(ClassTree tree, String name) {
        List<String> found = new ArrayList<>();
        for (Tree member : tree.getMembers()) {
            if (member instanceof MethodTree && ((MethodTree) member).getName().contentEquals("<init>")) {
                BlockTree body = ((MethodTree) member).getBody();
                boolean delegates = !body.getStatements().isEmpty()
                        && body.getStatements().get(0).toString().startsWith("this(");
                if (!delegates) {
                    found.add("CI " + name + ".<init>");
                }
            }
        }
        return String.join("|", found);
    }

    private String member(String type, ExecutableElement method) {
        if (method.getKind() == ElementKind.CONSTRUCTOR) {
            return "CI " + type + ".<init>";
        }
        StringBuilder text = new StringBuilder(method.getModifiers().contains(Modifier.STATIC) ? "CSM " : "CIM ");
        text.append(type).append('.').append(method.getSimpleName()).append('(');
        method.getParameters().forEach(parameter -> text.append(descriptor(parameter.asType())));
        return text.append(')').append(descriptor(method.getReturnType())).toString();
    }

    private String descriptor(TypeMirror type) {
        TypeMirror erased = types.erasure(type);
        switch (erased.getKind()) {
            case VOID:
                return "V";
            case BOOLEAN:
                return "Z";
            case LONG:
                return "J";
            case BYTE:
            case CHAR:
            case DOUBLE:
            case FLOAT:
            case INT:
            case SHORT:
                return erased.getKind().name().substring(0, 1);
            case ARRAY:
                return "[" + descriptor(((ArrayType) erased).getComponentType());
            default:
                TypeElement element = (TypeElement) types.asElement(erased);
                return "L" + elements.getBinaryName(element).toString().replace('.', '/') + ";";
        }
    }

    /** Whether it is in the source, not added by the compiler. */
    private boolean isWritten(Tree tree) {
        Element element = trees.getElement(getCurrentPath().getLeaf() == tree
                ? getCurrentPath() : new TreePath(getCurrentPath(), tree));
        boolean explicit = element == null || elements.getOrigin(element) == Elements.Origin.EXPLICIT;
        return explicit && end(tree) > start(tree) && !isComponent(element);
    }

    /** Components of a record are also fields, and precede its body. */
    private static boolean isComponent(Element element) {
        return element != null && element.getKind() == ElementKind.FIELD
                && element.getEnclosingElement().getKind() == ElementKind.RECORD
                && !element.getModifiers().contains(Modifier.STATIC);
    }

    private long start(Tree tree) {
        return positions.getStartPosition(unit, tree);
    }

    private long end(Tree tree) {
        return positions.getEndPosition(unit, tree);
    }

    private static void print(Object... fields) {
        List<String> texts = new ArrayList<>();
        for (Object field : fields) {
            texts.add(field.toString());
        }
        System.out.println(String.join("\t", texts));
    }
}
