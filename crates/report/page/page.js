"use strict";
// Everything that comes from code or output is set by textContent, never as markup.
(async () => {
  const get = (id) => document.getElementById(id);
  // The browser first paints the summary, which is plain HTML.
  const painted = new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await Promise.race([painted, new Promise((done) => setTimeout(done, 100))]);
  let data;
  try {
    const text = atob(get("data").textContent.trim());
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    data = await new Response(stream).json();
  } catch (error) {
    get("broken").hidden = false;
    return;
  }
  const { tests } = data;
  const count = tests.c.length;
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const button = (text, action) => {
    const element = make("button", "", text);
    element.type = "button";
    element.addEventListener("click", action);
    return element;
  };
  const time = (micros) => micros === null ? "" : micros >= 60e6 ? (micros / 60e6).toFixed(1) + " min" : (micros / 1e6).toFixed(3) + " s";
  const name = (at) => data.classes[tests.c[at]] + (tests.n[at] === null ? "" : "#" + tests.n[at]);
  const words = data.outcomes;
  const word = (at) => tests.d[at] ? "skip" : words[tests.o[at]] || "run";
  const reason = (at) => tests.d[at] ? null : data.reasons[tests.r[at]];
  const why = (at) => tests.d[at] ? data.evidence[tests.r[at]].facts + " facts hold" : reason(at).text;
  const lower = Array.from({ length: count }, (_, at) => name(at).toLowerCase());

  // A list of which only the visible rows are in the document.
  const HEIGHT = 28;
  function virtualList(rows, columns, open) {
    const list = make("div", "list");
    list.tabIndex = 0;
    list.setAttribute("role", "listbox");
    const space = make("div");
    list.append(space);
    let shown = rows, chosen = -1, drawn = [];
    const draw = () => {
      const first = Math.max(0, Math.floor(list.scrollTop / HEIGHT) - 4);
      const number = Math.min(50, Math.ceil((list.clientHeight || 500) / HEIGHT) + 8);
      drawn.forEach((row) => row.remove());
      drawn = [];
      shown.slice(first, first + number).forEach((value, index) => {
        const row = make("div", "row" + (first + index === chosen ? " chosen" : ""));
        row.style.top = (first + index) * HEIGHT + "px";
        row.setAttribute("role", "option");
        columns(value).forEach(([className, text]) => row.append(make("span", className, text)));
        row.addEventListener("click", () => choose(first + index));
        drawn.push(row);
        list.append(row);
      });
    };
    const choose = (at) => {
      if (!shown.length) return;
      chosen = Math.max(0, Math.min(shown.length - 1, at));
      if (chosen * HEIGHT < list.scrollTop) list.scrollTop = chosen * HEIGHT;
      if ((chosen + 1) * HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = (chosen + 1) * HEIGHT - list.clientHeight;
      draw();
      open(shown[chosen]);
    };
    list.addEventListener("scroll", () => requestAnimationFrame(draw));
    list.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -Infinity, End: Infinity }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      choose(step === Infinity ? shown.length - 1 : step === -Infinity ? 0 : chosen + step);
    });
    const show = (values) => {
      [shown, chosen] = [values, -1];
      space.style.height = values.length * HEIGHT + "px";
      list.scrollTop = 0;
      draw();
    };
    requestAnimationFrame(() => draw());
    show(rows);
    return { list, show };
  }

  function failureOf(at) {
    const failure = data.failures[at];
    if (!failure) return null;
    const box = make("div", "failure");
    box.append(make("b", "", failure.error), make("pre", "", failure.message || ""));
    if (failure.file) box.append(make("p", "", failure.file + ":" + failure.line));
    box.append(make("pre", "", failure.trace.join("\n")));
    return box;
  }

  function detail(at) {
    const box = make("div", "detail");
    box.append(make("h2", "", name(at)));
    const module = data.modules[tests.m[at]];
    box.append(make("p", "soft", (module === "." ? "" : "module " + module + ", ") + word(at) + (tests.t[at] === null ? "" : ", " + time(tests.t[at]))));
    const failure = failureOf(at);
    if (failure) box.append(failure);
    if (tests.d[at]) {
      const evidence = data.evidence[tests.r[at]];
      box.append(make("p", "", "Not run: all " + evidence.facts + " facts of a recorded passing run still hold."));
      box.append(make("p", "soft", "trace " + evidence.trace + ", recorded " + evidence.recorded + (evidence.place ? " on " + evidence.place : "")));
      return box;
    }
    const { text, facts, since, whole } = reason(at);
    box.append(make("p", "", "Run: " + text + (since ? "; it failed first at " + since + ", when this had changed:" : "")));
    if (whole) box.append(make("p", "soft", "Selected as one class: " + whole));
    for (const [kind, entity, change] of facts) {
      box.append(make("p", "", kind + "  " + entity + "  " + change));
      const code = data.code[kind + " " + entity];
      if (code) {
        const sides = make("div", "sides");
        sides.append(make("pre", "", code[0] || "(none)"), make("pre", "", code[1] || "(none)"));
        box.append(sides);
      }
    }
    return box;
  }

  function testList(rows, opened) {
    const box = make("div");
    const place = make("div");
    const { list, show } = virtualList(rows, (at) => [["word " + ({ failed: "failed", unknown: "failed", passed: "passed" }[word(at)] || "soft"), word(at)], ["name", name(at)], ["why", why(at)], ["time", time(tests.t[at])]], (at) => {
      place.replaceChildren(detail(at));
      remember({ test: name(at) });
    });
    box.append(list, place);
    const known = opened && rows.find((at) => name(at) === opened);
    if (known !== undefined && known !== "" && known !== null) place.replaceChildren(detail(known));
    return { box, show };
  }

  const all = Array.from({ length: count }, (_, at) => at);
  const order = { failed: 0, unknown: 0, run: 1, passed: 2, aborted: 2, ignored: 2, skip: 3 };
  const rank = Uint8Array.from(all, (at) => [0, 1, 1, 2][order[word(at)]]);
  const byNews = all.slice().sort((a, b) => order[word(a)] - order[word(b)] || a - b);

  function runScreen(state) {
    const box = make("div");
    const tools = make("div", "tools");
    const filter = make("input");
    filter.type = "search";
    filter.placeholder = "filter by class or test";
    filter.setAttribute("aria-label", "filter by class or test");
    filter.value = state.filter || "";
    const boxes = ["failed", "ran", "skipped"].map((label) => {
      const input = make("input");
      input.type = "checkbox";
      input.checked = !state.hide || !state.hide.includes(label);
      const text = make("label");
      text.append(input, " " + label);
      tools.append(text);
      return input;
    });
    tools.prepend(filter);
    const number = make("span", "soft");
    number.id = "shown";
    tools.append(number);
    const { box: tests, show } = testList(byNews, state.test);
    const update = () => {
      const wanted = filter.value.toLowerCase();
      const checked = boxes.map((input) => input.checked);
      const rows = byNews.filter((at) => checked[rank[at]] && lower[at].includes(wanted));
      number.textContent = rows.length + " of " + count;
      show(rows);
      remember({ filter: filter.value, hide: boxes.map((input, at) => input.checked ? "" : ["failed", "ran", "skipped"][at]).filter(Boolean).join(",") });
    };
    [filter, ...boxes].forEach((input) => input.addEventListener("input", update));
    update();
    box.append(tools, tests);
    return box;
  }

  function whyScreen(state) {
    const box = make("div");
    const causes = new Map();
    all.forEach((at) => {
      const cause = reason(at);
      if (!cause) return;
      const keys = cause.facts.length ? cause.facts.map((fact) => fact[0] + " " + fact[1]) : [cause.text];
      new Set(keys).forEach((key) => {
        if (!causes.has(key)) causes.set(key, []);
        causes.get(key).push(at);
      });
    });
    const rows = [...causes].sort((a, b) => b[1].length - a[1].length);
    if (!rows.length) {
      box.append(make("p", "", "Nothing had to run: every fact of every recorded test holds."));
      return box;
    }
    const table = make("table");
    const head = make("tr");
    head.append(make("th", "", "what changed, or why"), make("th", "number", "tests"));
    table.append(head);
    const place = make("div");
    rows.slice(0, 500).forEach(([key, of]) => {
      const row = make("tr");
      const cell = make("td");
      cell.append(button(key, () => {
        place.replaceChildren(make("h2", "", key), testList(of).box);
        remember({ cause: key });
        place.scrollIntoView({ block: "nearest" });
      }));
      row.append(cell, make("td", "number", String(of.length)));
      table.append(row);
    });
    box.append(table, place);
    if (state.cause && causes.has(state.cause)) place.replaceChildren(make("h2", "", state.cause), testList(causes.get(state.cause)).box);
    return box;
  }

  // Squarified rows: each rectangle's area is its time.
  function mapScreen() {
    const box = make("div");
    const sums = new Map();
    all.forEach((at) => {
      const key = tests.m[at] + "/" + tests.c[at];
      const sum = sums.get(key) || { name: data.classes[tests.c[at]], module: data.modules[tests.m[at]], run: 0, skip: 0 };
      sum[tests.d[at] ? "skip" : "run"] += Math.max(tests.t[at] || 0, 1000);
      sums.set(key, sum);
    });
    let areas = [...sums.values()].map((sum) => ({ ...sum, time: sum.run + sum.skip })).sort((a, b) => b.time - a.time);
    if (areas.length > 2000) {
      const rest = areas.slice(1999);
      const add = (key) => rest.reduce((sum, area) => sum + area[key], 0);
      areas = areas.slice(0, 1999).concat({ name: rest.length + " more classes", module: "", run: add("run"), skip: add("skip"), time: add("time") }).sort((a, b) => b.time - a.time);
    }
    box.append(make("p", "soft", "The area of a class is its recorded time; yellow ran, green was skipped."));
    const [WIDTH, TALL] = [1000, 560];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 " + WIDTH + " " + TALL);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "test classes by time");
    const draw = (area, x, y, width, height) => {
      const add = (tag, attributes, text) => {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
        if (text !== undefined) element.textContent = text;
        svg.append(element);
        return element;
      };
      const share = area.time ? area.run / area.time : 0;
      const rect = add("rect", { x, y, width: Math.max(0, width - 1), height: Math.max(0, height - 1), fill: "var(--skip)" });
      if (share > 0) add("rect", { x, y, width: Math.max(0, (width - 1) * share), height: Math.max(0, height - 1), fill: "var(--run)" });
      rect.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "title"), { textContent: area.name + "  " + time(area.time) }));
      const short = area.name.slice(area.name.lastIndexOf(".") + 1);
      if (width > 60 && height > 18) add("text", { x: x + 4, y: y + 14 }, short.slice(0, Math.floor(width / 7)));
    };
    let [x, y, width, height] = [0, 0, WIDTH, TALL];
    let left = areas.reduce((sum, area) => sum + area.time, 0);
    let at = 0;
    while (at < areas.length && left > 0 && width > 0.1 && height > 0.1) {
      const side = Math.min(width, height), scale = width * height / left;
      let row = 0, end = at, best = Infinity;
      while (end < areas.length) {
        const sum = (row + areas[end].time) * scale;
        const worst = Math.max(side * side * areas[at].time * scale / (sum * sum), sum * sum / (side * side * areas[end].time * scale));
        if (worst > best) break;
        [best, row] = [worst, row + areas[end].time];
        end += 1;
      }
      const thick = row * scale / side;
      let along = 0;
      for (; at < end; at += 1) {
        const long = areas[at].time * scale / thick;
        if (width >= height) draw(areas[at], x, y + along, thick, long); else draw(areas[at], x + along, y, long, thick);
        along += long;
      }
      if (width >= height) [x, width] = [x + thick, width - thick]; else [y, height] = [y + thick, height - thick];
      left -= row;
    }
    box.append(svg);
    return box;
  }

  function slowScreen() {
    const box = make("div");
    const slowest = all.filter((at) => tests.t[at] !== null).sort((a, b) => tests.t[b] - tests.t[a]).slice(0, 1000);
    box.append(make("h2", "", "Slowest"), testList(slowest).box);
    const groups = new Map();
    all.forEach((at) => {
      const cause = reason(at);
      if (!cause || (cause.kind !== "always" && cause.kind !== "flaky")) return;
      const group = groups.get(cause.text) || { tests: 0, time: 0 };
      [group.tests, group.time] = [group.tests + tests.k[at], group.time + (tests.t[at] || 0)];
      groups.set(cause.text, group);
    });
    box.append(make("h2", "", "Always run"));
    if (!groups.size) box.append(make("p", "", "No test runs whatever its facts are."));
    const table = make("table");
    [...groups].sort((a, b) => b[1].time - a[1].time).forEach(([text, group]) => {
      const row = make("tr");
      row.append(make("td", "", text), make("td", "number", group.tests + " tests"), make("td", "number", time(group.time)));
      table.append(row);
    });
    box.append(table);
    return box;
  }

  function historyScreen() {
    const box = make("div");
    const table = make("table");
    const head = make("tr");
    ["run", "where", "passed", "failed", "other", "time of tests"].forEach((text) => head.append(make("th", "", text)));
    table.append(head);
    data.history.runs.forEach((run) => {
      const row = make("tr");
      [run.began, run.place, run.passed, run.failed, run.other, time(run.microseconds)].forEach((text) => row.append(make("td", "", String(text))));
      table.append(row);
    });
    box.append(make("h2", "", "Runs"), table, make("h2", "", "Tests that did not always pass, the latest verdict last"));
    const strips = make("table");
    data.history.strips.slice(0, 2000).forEach(([test, strip]) => {
      const row = make("tr");
      row.append(make("td", "", test), make("td", "strip", strip));
      strips.append(row);
    });
    if (!data.history.strips.length) box.append(make("p", "", "Every recorded verdict is a pass."));
    box.append(strips);
    return box;
  }

  const screens = { run: ["This run", runScreen], why: ["Why", whyScreen], map: ["Map", mapScreen], slow: ["Slow and always", slowScreen] };
  if (data.history) screens.history = ["History", historyScreen];
  const read = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const remember = (more) => {
    const state = { ...read(), ...more };
    const text = new URLSearchParams(Object.entries(state).filter(([, value]) => value)).toString();
    history.replaceState(null, "", "#" + text);
  };
  const show = () => {
    const state = read();
    const chosen = screens[state.screen] ? state.screen : "run";
    get("tabs").replaceChildren(...Object.entries(screens).map(([key, [title]]) => {
      const tab = button(title, () => { remember({ screen: key, test: "", cause: "" }); show(); });
      tab.setAttribute("role", "tab");
      tab.setAttribute("aria-selected", String(key === chosen));
      tab.id = "tab-" + key;
      return tab;
    }));
    get("summary").hidden = chosen !== "run";
    const screen = get("screen");
    screen.hidden = false;
    screen.replaceChildren(screens[chosen][1](state));
    document.body.dataset.screen = chosen;
  };
  get("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const tabs = [...get("tabs").children];
    const at = tabs.indexOf(document.activeElement);
    if (step && at >= 0) tabs[(at + step + tabs.length) % tabs.length].focus();
  });
  window.addEventListener("hashchange", show);
  const before = performance.now();
  show();
  document.body.dataset.ready = String(Math.round(performance.now() - before));
})();
