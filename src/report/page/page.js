"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
// Everything shown goes through here: text, never markup.
const make = (tag, text, className) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  return element;
};
const clear = (element) => { while (element.firstChild) element.removeChild(element.firstChild); };

let run = null;
let now = 0; // steps taken of those shown: 0 is the start
let rows = [];

at("title").textContent = data.title;
at("about").textContent = data.about.join("; ");

function showRun(index) {
  run = data.runs[index];
  [...at("runs").children].forEach((tab, i) => tab.setAttribute("aria-pressed", String(i === index)));
  clear(at("sides"));
  run.sides.forEach((side) => {
    const item = make("li");
    const link = make("button", side.file + ":" + side.line + ":" + side.column, "place");
    link.addEventListener("click", () => showSide(side));
    item.append(link, document.createTextNode(" " + side.text));
    at("sides").append(item);
  });
  at("schedule").hidden = !run.steps.length;
  at("conflict").hidden = !run.steps.some((step) => step.conflict);
  at("message").textContent = (run.reproduced ? "" : "Not reproduced. ") + run.kind + (run.of ? " in " + run.of : "") + ": " + run.message;
  clear(at("why"));
  run.why.forEach((line) => at("why").append(make("li", line)));
  at("command").textContent = run.command ? "In a terminal: " + run.command : "";
  drawLanes();
  go(0);
}

function drawLanes() {
  const table = make("table");
  const head = make("tr");
  head.append(make("th", "step"));
  run.lanes.forEach((lane) => head.append(make("th", lane.name, lane.guilty ? "bad" : "")));
  if (run.more_lanes) head.append(make("th", "and " + run.more_lanes + " more", "faint"));
  const top = make("thead");
  top.append(head);
  table.append(top);
  const body = make("tbody");
  const width = Math.max(1, run.lanes.length + (run.more_lanes ? 1 : 0));
  const across = (text, className) => {
    const row = make("tr");
    row.append(make("td", "", "n"));
    const cell = make("td", text, className);
    cell.colSpan = width;
    row.append(cell);
    return row;
  };
  rows = run.steps.map((step, index) => {
    if (step.gap) body.append(across("… " + step.gap + " steps left out", "faint gap"));
    if (step.cycle) body.append(across("from here on the run is a cycle", "bad"));
    const row = make("tr");
    row.dataset.n = step.n;
    if (step.switch) row.classList.add("switch");
    if (step.conflict) row.classList.add("conflict");
    row.append(make("td", String(step.n), "n"));
    if (step.lane === null) {
      const cell = make("td", step.who + ": " + step.text);
      cell.colSpan = width;
      row.append(cell);
    } else {
      for (let lane = 0; lane < width; lane++) {
        row.append(make("td", lane === step.lane ? step.text : ""));
      }
    }
    row.title = values(step).map(([name, value]) => name + " = " + value).join("\n");
    row.addEventListener("click", () => go(index + 1));
    body.append(row);
    return row;
  });
  table.append(body);
  clear(at("lanes"));
  at("lanes").append(table);
}

function values(step) {
  const cells = step.cells.map(([name, before, after]) =>
    [name, before === after ? before : before + " \u2192 " + after]);
  return cells.concat(step.values);
}

function go(to) {
  const before = now;
  now = Math.max(0, Math.min(run.steps.length, to));
  rows.forEach((row, index) => {
    row.classList.toggle("now", index + 1 === now);
    row.classList.toggle("later", index + 1 > now);
  });
  const step = run.steps[now - 1];
  at("status").textContent = "step " + (step ? step.n : 0) + " of " + run.n_steps;
  at("step").textContent = step ? step.who + ", " + step.text : "the start";
  at("step").className = step && step.conflict ? "bad" : "";
  clear(at("values"));
  if (step) {
    for (const [name, value] of values(step)) {
      const row = make("tr");
      row.append(make("td", name), make("td", value));
      at("values").append(row);
    }
    const row = rows[now - 1];
    // With many lanes, the one that moves is brought into sight too.
    const cell = row && (row.children[(step.lane === null ? 0 : step.lane) + 1] || row);
    if (cell && before !== now) {
      cell.scrollIntoView({ block: "nearest", inline: "nearest" });
      // Where the source is below the steps, both are in sight with the steps at the top.
      if (matchMedia("(max-width: 48rem)").matches) at("schedule").scrollIntoView({ block: "start" });
    }
  }
  drawSource(step);
}

function drawSource(step) {
  const place = at("source");
  // Of two programs compared, the sides are in both, and the run is of one.
  const own = run.sides.find((side) => run.steps.some((other) => other.file === side.file));
  const known = step && step.line ? step : own || run.sides[0] || run.steps.find((other) => other.line);
  const file = data.files.find((file) => known && file.name === known.file);
  if (!file) { clear(place); return; }
  if (place.dataset.file !== file.name || place.run !== run) {
    clear(place);
    place.dataset.file = file.name;
    place.run = run;
    place.append(make("div", file.name, "faint"));
    const used = new Set(run.steps.filter((s) => s.file === file.name).map((s) => s.line));
    let last = 0;
    for (const [number, text] of file.lines) {
      if (last && number !== last + 1) place.append(make("div", "\u2026", "faint"));
      const line = make("div", undefined, used.has(number) ? "used" : "");
      line.dataset.line = number;
      line.append(make("span", String(number)), document.createTextNode(text));
      const sides = run.sides.filter((side) => side.file === file.name && side.line === number);
      place.append(line);
      // Both sides of a conflict are in sight wherever the schedule is.
      sides.forEach((side) => {
        line.classList.add("side");
        place.append(make("div", "\u2191 " + side.text, "note"));
      });
      last = number;
    }
  }
  place.querySelectorAll("div.now").forEach((line) => line.classList.remove("now"));
  const number = step && step.line ? step.line : known && known.line;
  const line = number && place.querySelector('div[data-line="' + number + '"]');
  if (line) {
    if (step && step.line) line.classList.add("now");
    place.scrollTop = Math.max(0, line.offsetTop - place.offsetTop - place.clientHeight / 2);
  }
}

function showSide(side) {
  const index = run.steps.findIndex((step) => step.conflict && step.file === side.file && step.line === side.line);
  if (index >= 0) go(index + 1);
  else drawSource(side);
}

const tones = {
  refuted: "bad", differ: "bad", error: "bad", "not read": "bad", unknown: "unsure", "not compared": "unsure",
  proved: "good", passed: "good", agree: "good",
};

function drawTable(table) {
  const drawn = make("table");
  const head = make("tr");
  table.head.forEach((text) => head.append(make("th", text)));
  const top = make("thead");
  top.append(head);
  const body = make("tbody");
  table.rows.forEach((cells) => {
    const row = make("tr");
    cells.forEach((text, column) => {
      const cell = make("td", text, column === table.verdicts ? tones[text] || "" : "");
      // In a narrow window there is no head, and each cell says what it is.
      if (column > 0 && column !== table.verdicts) cell.dataset.head = table.head[column];
      row.append(cell);
    });
    body.append(row);
  });
  drawn.append(top, body);
  const around = make("div", undefined, table.rows.length > 40 ? "wide long" : "wide");
  around.append(drawn);
  at("tables").append(make("h2", table.title), around);
}

function drawList(list) {
  const folded = make("details");
  folded.open = !list.is_text;
  folded.append(make("summary", list.title));
  if (list.is_text) list.items.forEach((text) => folded.append(make("pre", text)));
  else {
    const items = make("ul");
    list.items.forEach((text) => items.append(make("li", text)));
    folded.append(items);
  }
  at("lists").append(folded);
}

function nextWhere(test) {
  for (let index = now; index < run.steps.length; index++) if (test(run.steps[index])) return index + 1;
  return 0;
}
function previousWhere(test) {
  for (let index = now - 2; index >= 0; index--) if (test(run.steps[index])) return index + 1;
  return 0;
}
const commands = {
  next: () => go(now + 1),
  back: () => go(now - 1),
  start: () => go(0),
  end: () => go(run.steps.length),
  change: () => go(nextWhere((step) => step.switch) || run.steps.length),
  changeBack: () => go(previousWhere((step) => step.switch)),
  conflict: () => {
    const first = run.steps.findIndex((step) => step.conflict) + 1;
    go(nextWhere((step) => step.conflict) || first || run.steps.length);
  },
};
const keys = {
  n: "next", j: "next", ArrowDown: "next", p: "back", k: "back", ArrowUp: "back",
  s: "change", S: "changeBack", g: "start", Home: "start", G: "end", End: "end", c: "conflict",
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !run) return;
  const command = keys[event.key];
  if (command) { event.preventDefault(); commands[command](); }
});
for (const id of ["next", "back", "start", "end", "change", "conflict"]) {
  at(id).addEventListener("click", () => run && commands[id]());
}

function drawGraph(graph) {
  const place = at("graph");
  place.append(make("h2", graph.n_states + " states, " + graph.n_transitions + " transitions"));
  if (!graph.states.length) {
    place.append(make("p", "Too many to be drawn here; --dot writes them for Graphviz.", "faint"));
    return;
  }
  const said = make("p", "A click on a state says how it is left.", "faint");
  said.id = "state";
  place.append(said);
  const svg = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    return element;
  };
  const widths = [];
  graph.states.forEach((state) => { widths[state.y] = Math.max(widths[state.y] || 0, state.x + 1); });
  const widest = Math.max(...widths);
  const step = 34;
  const x = (state) => step * (state.x + 1 + (widest - widths[state.y]) / 2);
  const y = (state) => step * (state.y + 0.7);
  const size = [step * (widest + 1), step * (widths.length + 0.4)];
  const drawing = svg("svg", { viewBox: "0 0 " + size[0] + " " + size[1], width: size[0] });
  const lines = graph.edges.map(([from, to, label]) => {
    const [a, b] = [graph.states[from], graph.states[to]];
    const line = from === to
      ? svg("path", { d: "M" + x(a) + " " + y(a) + " c 18 -14 18 14 0 6" })
      : svg("line", { x1: x(a), y1: y(a), x2: x(b), y2: y(b) });
    const title = svg("title", {});
    title.textContent = label;
    line.append(title);
    drawing.append(line);
    return line;
  });
  const shapes = graph.states.map((state, index) => {
    const bad = state.ends === "fault" || state.ends === "deadlock";
    const shape = bad
      ? svg("rect", { x: x(state) - 7, y: y(state) - 7, width: 14, height: 14 })
      : svg("circle", { cx: x(state), cy: y(state), r: 7 });
    if (state.ends) shape.classList.add(state.ends);
    shape.dataset.state = index;
    const title = svg("title", {});
    title.textContent = state.what || "state " + index;
    shape.append(title);
    shape.addEventListener("click", () => {
      shapes.forEach((other) => other.classList.remove("picked"));
      shape.classList.add("picked");
      const out = [];
      graph.edges.forEach(([from, , label], edge) => {
        lines[edge].classList.toggle("picked", from === index);
        if (from === index) out.push(label);
      });
      said.textContent = "state " + index + (state.what ? ": " + state.what : "") +
        (out.length ? "; left by " + out.join(" | ") : "");
    });
    drawing.append(shape);
    return shape;
  });
  place.append(drawing);
}

data.tables.forEach(drawTable);
data.lists.forEach(drawList);
if (data.runs.length > 1) {
  data.runs.forEach((other, index) => {
    const tab = make("button", index + 1 + " " + other.kind + (other.of ? " in " + other.of : ""));
    tab.addEventListener("click", () => showRun(index));
    at("runs").append(tab);
  });
}
if (data.runs.length) showRun(0);
else document.querySelector("main").hidden = true;
if (data.graph) drawGraph(data.graph);
document.body.dataset.ready = "yes";
