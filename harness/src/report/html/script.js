'use strict';
// The page works without this. It adds: the maps of cells with their filters, copying, and a choice of light and dark.
// Every text is set as text; nothing is parsed as markup.
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const SVG = document.querySelector('svg').namespaceURI;
  const MARKS = { F: 'finding', H: 'hole', G: 'green', U: 'unwitnessed', B: 'blocked', C: 'cited' };
  const PITCH = 15;
  const MOST = 16384;

  const make = (name, set = {}, ...inside) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(set)) {
      if (key === 'class') node.className = value;
      else if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
      else if (value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...inside);
    return node;
  };
  const shape = (name, extra = '') => {
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('class', `shape ${name} ${extra}`.trim());
    svg.setAttribute('aria-hidden', 'true');
    const use = document.createElementNS(SVG, 'use');
    use.setAttribute('href', `#s-${name}`);
    svg.append(use);
    return svg;
  };
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');

  // ------------------------------------------------------------------------------------------------ light and dark

  const root = document.documentElement;
  const THEMES = ['auto', 'light', 'dark'];
  const stored = () => { try { return localStorage.getItem('tandem-theme'); } catch { return null; } };
  const asked = new URLSearchParams(location.search).get('theme');
  let theme = [asked, stored()].find((one) => THEMES.includes(one)) || 'auto';
  const button = make('button', { type: 'button', onclick: () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    try { localStorage.setItem('tandem-theme', theme); } catch { /* Then it lasts as long as the page. */ }
    paint();
  } });
  const paint = () => {
    if (theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = theme;
    button.textContent = `theme: ${theme}`;
  };
  paint();
  const openAll = make('button', { type: 'button', onclick: () => {
    const all = [...document.querySelectorAll('main details')];
    const open = all.some((one) => !one.open);
    for (const one of all) one.open = open;
    openAll.textContent = open ? 'close all' : 'open all';
  } }, 'open all');
  document.getElementById('tools').append(openAll, button);

  // ------------------------------------------------------------------------------------------------ copying

  for (const command of document.querySelectorAll('pre.command')) {
    const text = command.textContent;
    const copy = make('button', { type: 'button', 'aria-label': 'copy the command', onclick: async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = 'copied';
      } catch {
        getSelection().selectAllChildren(command.firstChild);
        copy.textContent = 'selected';
      }
      setTimeout(() => { copy.textContent = 'copy'; }, 1500);
    } }, 'copy');
    command.append(copy);
  }

  // ------------------------------------------------------------------------------------------------ cells

  const numbers = (ranges) => {
    const all = new Set();
    for (const range of ranges.split(', ')) {
      const [first, last = first] = range.split('-').map(Number);
      for (let cell = first; cell <= last; cell += 1) all.add(cell);
    }
    return all;
  };
  const unpacked = (runs) => runs.split(' ').flatMap((run) => {
    const [place, count = 1] = run.split('*').map(Number);
    return Array(count).fill(place);
  });

  // What is known of the cells of a unit.
  const cellsOf = (unit, place) => {
    const sizes = unit.axes.map((axis) => axis.levels.length);
    const count = unit.statuses.length;
    const levels = (cell) => {
      let rest = unit.places ? unit.places[cell] : cell;
      const found = [];
      for (let axis = sizes.length - 1; axis >= 0; axis -= 1) {
        found[axis] = rest % sizes[axis];
        rest = Math.floor(rest / sizes[axis]);
      }
      return found;
    };
    const at = unit.places ? new Map(unit.places.map((where, cell) => [where, cell])) : null;
    const cellAt = (chosen) => {
      const where = chosen.reduce((sum, level, axis) => sum * sizes[axis] + level, 0);
      return at ? at.get(where) : where < count ? where : undefined;
    };
    const gapsOf = (cell) => {
      const mine = levels(cell);
      return unit.gaps.filter(([axis, level]) => level === null || mine[axis] === level);
    };
    const mark = (cell) => MARKS[unit.statuses[cell]] || 'hole';
    const findings = data.findings.flatMap((finding, index) => finding.seen
      .filter(([where]) => where === place)
      .map(([, ranges]) => ({ number: index + 1, title: finding.title, cells: numbers(ranges) })));
    return {
      count, sizes, levels, cellAt, mark, gapsOf, findings,
      contested: (cell) => unit.contested !== null && unit.contested[cell] === 'x',
      classOf: unit.runs ? unpacked(unit.runs) : null,
      holes: new Map(unit.holes),
    };
  };

  // ------------------------------------------------------------------------------------------------ maps

  const maps = new Map();

  const build = (unit, place) => {
    const details = document.getElementById(unit.anchor);
    const host = details && details.querySelector('.map');
    if (!host) return null;
    const cells = cellsOf(unit, place);
    const chosen = unit.axes.map(() => null);
    const light = { mark: '', class: '', finding: '' };
    let selected = null;
    let board = null;

    const select = (label, options, change) => {
      const node = make('select', { onchange: () => {
        node.classList.toggle('set', node.value !== '');
        change(node.value);
      } }, make('option', { value: '' }, 'all'), ...options.map(([value, name]) => make('option', { value }, name)));
      return [make('label', {}, make('span', { title: label }, label), node), node];
    };
    const axes = unit.axes.map((axis, index) => select(axis.name, axis.levels.map((level, value) => {
      const gap = unit.gaps.some(([of, only]) => of === index && (only === null || only === value));
      return [value, gap ? `${level} (unwitnessed)` : level];
    }), (value) => { chosen[index] = value === '' ? null : Number(value); draw(); }));
    const present = [...new Set(Array.from({ length: cells.count }, (_, cell) => cells.mark(cell)))];
    if (Array.from({ length: cells.count }, (_, cell) => cell).some(cells.contested)) present.push('contested');
    const lights = [['highlight', 'mark', present.map((name) => [name, name])]];
    if (cells.classOf) lights.push(['class of cells', 'class', unit.classes.map((name, index) => [index, name])]);
    if (cells.findings.length) {
      lights.push(['finding', 'finding', cells.findings.map((one) => [one.number, `${one.number}: ${one.title}`])]);
    }
    const lit = lights.map(([label, key, options]) => [key, select(label, options, (value) => { light[key] = value; draw(); })]);
    const reset = make('button', { type: 'button', onclick: () => {
      for (const [, node] of [...axes, ...lit.map(([, one]) => one)]) { node.value = ''; node.classList.remove('set'); }
      chosen.fill(null);
      Object.assign(light, { mark: '', class: '', finding: '' });
      draw();
    } }, 'show all');
    const filters = make('div', { class: 'filters' }, ...axes.map(([label]) => label), ...lit.map(([, [label]]) => label), reset);
    const shown = make('p', { class: 'shown', role: 'status' });
    const about = make('div', { class: 'about', 'aria-live': 'polite' });
    const field = make('div', { class: 'scroll' });
    host.replaceChildren(filters, shown, make('div', { class: 'board' }, about, field));

    const isLit = (cell) => (light.mark === '' || (light.mark === 'contested' ? cells.contested(cell) : cells.mark(cell) === light.mark))
      && (light.class === '' || cells.classOf[cell] === Number(light.class))
      && (light.finding === '' || cells.findings.some((one) => String(one.number) === light.finding && one.cells.has(cell)));

    const tell = (cell) => {
      if (cell === null) {
        about.replaceChildren(make('h5', {}, 'No cell chosen'), make('p', { class: 'quiet' },
          'Point at a cell, or choose one with a click or the arrow keys: its axes stand here in words.'));
        return;
      }
      const mark = cells.mark(cell);
      const words = [mark === 'unwitnessed' ? 'green, unwitnessed' : mark];
      if (cells.contested(cell)) words.push('contested');
      const parts = [make('h5', {}, shape(mark), `Cell ${cell}: ${words.join(', ')}`)];
      parts.push(make('dl', { class: 'levels' }, ...cells.levels(cell).map((level, axis) => make('div', {},
        make('dt', {}, unit.axes[axis].name), make('dd', {}, unit.axes[axis].levels[level])))));
      if (cells.classOf) parts.push(make('p', {}, `Class: ${unit.classes[cells.classOf[cell]]}`));
      const hole = cells.holes.get(cell);
      if (hole) {
        parts.push(make('p', {}, `${hole[0]} agreed of the ${data.green} that it takes, ${hole[1]} held, ${hole[2]} cited, `
          + `${hole[3]} diverged, ${hole[4]} unsupported`));
      }
      for (const [axis, level, reason] of cells.gapsOf(cell)) {
        const name = unit.axes[axis].name + (level === null ? '' : `=${unit.axes[axis].levels[level]}`);
        parts.push(make('p', { class: 'quiet' }, `Unwitnessed: ${name}: ${reason}`));
      }
      for (const one of cells.findings.filter((finding) => finding.cells.has(cell))) {
        parts.push(make('p', {}, make('a', { href: `#finding-${one.number}` }, `finding ${one.number}: ${one.title}`)));
      }
      about.replaceChildren(...parts);
    };

    const choose = (cell, focus) => {
      if (!board) return;
      const node = board.get(cell);
      if (!node) return;
      if (selected !== null && board.get(selected)) {
        board.get(selected).setAttribute('aria-selected', 'false');
      }
      for (const other of board.values()) if (other.tabIndex === 0) other.tabIndex = -1;
      selected = cell;
      node.setAttribute('aria-selected', 'true');
      node.tabIndex = 0;
      tell(cell);
      if (focus) node.focus();
      history.replaceState(null, '', `#${unit.anchor}/${cell}`);
    };

    // The product of the levels of some axes, the last one running fastest.
    const product = (of) => of.reduce((rows, axis) => rows.flatMap((row) => cells.sizes[axis] === 0 ? []
      : Array.from({ length: cells.sizes[axis] }, (_, level) => [...row, level])), [[]]);

    const draw = () => {
      const free = unit.axes.map((_, axis) => axis).filter((axis) => chosen[axis] === null);
      const size = free.reduce((all, axis) => all * cells.sizes[axis], 1);
      if (size > MOST) {
        shown.textContent = `${grouped(size)} places are too many to draw: choose levels of some axes.`;
        field.replaceChildren();
        tell(null);
        return;
      }
      // As many of the last axes as fit run across; the others run down.
      const room = Math.max(8, Math.floor((field.clientWidth - (innerWidth <= 640 ? 120 : 225)) / PITCH));
      let split = free.length;
      let width = 1;
      while (split > 0 && width * cells.sizes[free[split - 1]] <= room && (free.length === 1 || split > 1)) {
        split -= 1;
        width *= cells.sizes[free[split]];
      }
      const [down, across] = [free.slice(0, split), free.slice(split)];
      const [rows, columns] = [product(down), product(across)];
      board = new Map();
      const lead = Math.max(1, down.length);
      const head = make('thead');
      across.forEach((axis, depth) => {
        const span = across.slice(depth + 1).reduce((all, inner) => all * cells.sizes[inner], 1);
        const line = make('tr', {}, make('th', { class: 'axis', colspan: lead, scope: 'row', title: unit.axes[axis].name }, unit.axes[axis].name));
        for (let at = 0; at < columns.length; at += span) {
          const level = unit.axes[axis].levels[columns[at][depth]];
          line.append(make('th', { colspan: span, scope: 'colgroup', title: `${unit.axes[axis].name}: ${level}` }, level));
        }
        head.append(line);
      });
      if (down.length) {
        head.append(make('tr', {}, ...down.map((axis) => make('th', { class: 'axis row', scope: 'col', title: unit.axes[axis].name }, unit.axes[axis].name)),
          make('th', { colspan: columns.length })));
      }
      const body = make('tbody');
      let [drawn, bright] = [0, 0];
      const starts = across.length ? columns.length / cells.sizes[across[0]] : 1;
      rows.forEach((row, number) => {
        const changed = number === 0 ? 0 : row.findIndex((level, depth) => level !== rows[number - 1][depth]);
        const line = make('tr', { class: down.length > 1 && changed < down.length - 1 ? 'start' : '' });
        if (!down.length) line.append(make('th', { scope: 'row' }));
        down.forEach((axis, depth) => {
          if (number !== 0 && depth < changed) return;
          const span = down.slice(depth + 1).reduce((all, inner) => all * cells.sizes[inner], 1);
          line.append(make('th', { rowspan: span, scope: 'rowgroup' }, unit.axes[axis].levels[row[depth]]));
        });
        columns.forEach((column, place) => {
          const levels = [...chosen];
          down.forEach((axis, depth) => { levels[axis] = row[depth]; });
          across.forEach((axis, depth) => { levels[axis] = column[depth]; });
          const cell = cells.cellAt(levels);
          if (cell === undefined) { line.append(make('td', { class: 'none' })); return; }
          drawn += 1;
          const mark = cells.mark(cell);
          const on = isLit(cell);
          bright += on ? 1 : 0;
          const node = make('td', { class: `${on ? '' : 'dim'}${place % starts === 0 ? ' start' : ''}`.trim(), tabindex: '-1',
            'data-cell': cell, 'aria-selected': 'false', 'aria-label': `cell ${cell}: ${mark}` }, shape(mark));
          if (cells.contested(cell)) node.append(shape('contested', 'corner'));
          board.set(cell, node);
          line.append(node);
        });
        body.append(line);
      });
      const table = make('table', { class: 'cells', role: 'grid', 'aria-label': `Cells of ${unit.title}` }, head, body);
      const cellOf = (event) => {
        const node = event.target.closest('td[data-cell]');
        return node ? Number(node.dataset.cell) : null;
      };
      table.addEventListener('click', (event) => { const cell = cellOf(event); if (cell !== null) choose(cell, true); });
      table.addEventListener('mouseover', (event) => { const cell = cellOf(event); if (cell !== null) tell(cell); });
      table.addEventListener('mouseleave', () => tell(selected));
      table.addEventListener('keydown', (event) => {
        const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
        const node = event.target.closest('td[data-cell]');
        if (!node) return;
        const grid = [...body.rows].map((line) => [...line.querySelectorAll('td')]);
        let y = node.parentNode.sectionRowIndex;
        let x = grid[y].indexOf(node);
        if (event.key === 'Home') x = 0;
        else if (event.key === 'End') x = grid[y].length - 1;
        else if (event.key in steps) { y += steps[event.key][0]; x += steps[event.key][1]; }
        else return;
        event.preventDefault();
        const next = grid[y] && grid[y][x];
        if (next && next.dataset.cell !== undefined) choose(Number(next.dataset.cell), true);
      });
      const names = (of) => of.map((axis) => unit.axes[axis].name).join(', ') || 'none';
      field.replaceChildren(make('p', { class: 'order' }, `Down, outermost first: ${names(down)}. Across: ${names(across)}.`), table);
      const first = board.values().next().value;
      if (selected === null || !board.has(selected)) selected = null;
      else board.get(selected).setAttribute('aria-selected', 'true');
      const entry = selected === null ? first : board.get(selected);
      if (entry) entry.tabIndex = 0;
      shown.textContent = `${grouped(drawn)} of ${grouped(cells.count)} cells`
        + (bright === drawn ? '' : `, ${grouped(bright)} highlighted`);
      tell(selected);
    };

    // Shows a cell, whatever is filtered, or the cells of a finding.
    const show = (what) => {
      reset.click();
      const finding = /^finding-(\d+)$/.exec(what);
      if (finding) {
        const entry = lit.find(([key]) => key === 'finding');
        if (!entry) return;
        const node = entry[1][1];
        node.value = finding[1];
        node.dispatchEvent(new Event('change'));
      } else if (/^\d+$/.test(what)) {
        const cell = Number(what);
        if (cell >= cells.count) return;
        if (!board) {
          // Too many cells at once: fix axes from the first on until the rest can be drawn.
          cells.levels(cell).forEach((level, axis) => {
            if (board) return;
            axes[axis][1].value = String(level);
            axes[axis][1].dispatchEvent(new Event('change'));
          });
        }
        choose(cell, false);
      }
    };
    draw();
    let width = field.clientWidth;
    addEventListener('resize', () => {
      if (details.open && field.clientWidth !== width) { width = field.clientWidth; draw(); }
    });
    return { show };
  };

  const open = (place) => {
    const unit = data.units[place];
    const details = document.getElementById(unit.anchor);
    if (!details) return null;
    details.open = true;
    if (!maps.has(place)) maps.set(place, build(unit, place));
    return maps.get(place);
  };
  data.units.forEach((unit, place) => {
    const details = document.getElementById(unit.anchor);
    if (details) details.addEventListener('toggle', () => { if (details.open) open(place); });
  });

  // `#map-…` opens a map, `#map-…/17` a cell in it, `#map-…/finding-1` the cells of a finding, `#finding-1` a finding.
  const follow = () => {
    const [anchor, what] = location.hash.slice(1).split('/');
    if (!anchor) return;
    const target = document.getElementById(anchor);
    if (!target) return;
    for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true;
    const place = data.units.findIndex((unit) => unit.anchor === anchor);
    if (place >= 0) {
      const map = open(place);
      if (map && what) map.show(what);
    }
    target.scrollIntoView();
  };
  addEventListener('hashchange', follow);
  follow();

  // On paper everything is open.
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const one of closed) one.open = true;
    data.units.forEach((_, place) => open(place));
  });
  addEventListener('afterprint', () => { for (const one of closed) one.open = false; });
})();
