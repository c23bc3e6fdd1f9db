// Added to a copy of the page: clicks through it as a person would, and leaves what it saw in the document.
(async () => {
  const seen = {};
  const wait = () => new Promise((done) => setTimeout(done, 20));
  for (let at = 0; at < 500 && !document.body.dataset.ready; at += 1) await wait();
  const input = () => document.querySelector(".tools input[type=search]");
  const count = () => document.getElementById("shown").textContent;
  const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  seen.all = count();
  const times = [];
  for (const text of ["s", "so", "some4", "some49", "nothing like that"]) {
    const before = performance.now();
    input().value = text;
    input().dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    times.push(performance.now() - before);
  }
  seen.none = count();
  seen.keystroke = Math.max(...times);
  input().value = "";
  input().dispatchEvent(new Event("input"));
  const list = document.querySelector(".list");
  list.scrollTop = list.scrollHeight / 2;
  await wait();
  seen.rows = document.querySelectorAll(".row").length;
  press(list, "End");
  press(list, "Home");
  seen.detail = document.querySelector(".detail h2")?.textContent ?? "";
  seen.hash = location.hash;
  for (const screen of ["why", "map", "slow", "history", "run"]) {
    document.getElementById("tab-" + screen)?.click();
    await wait();
    seen[screen] = document.body.dataset.screen === screen ? document.getElementById("screen").textContent.length + document.querySelectorAll("#screen rect").length : -1;
  }
  const paint = performance.getEntriesByType("paint").find((entry) => entry.name === "first-contentful-paint");
  seen.paint = paint ? paint.startTime : null;
  seen.images = document.images.length;
  seen.requests = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => !name.startsWith("data:")).length;
  document.body.dataset.seen = JSON.stringify(seen);
})();
