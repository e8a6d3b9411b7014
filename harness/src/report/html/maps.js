// The maps of cells: squares of two axes first, each with the statuses of the cells behind it, and the cells of a square
// one by one.
(() => {
  const { data, make, shape, grouped, cellsOf } = tandem;
  // The width of a cell, and how many of a table's places are drawn at most.
  const PITCH = 15;
  const MOST = 16384;

  const counted = (number, what) => `${grouped(number)} ${what}${number === 1 ? '' : 's'}`;
  const bar = (tally) => make('span', { class: 'bar', 'aria-hidden': 'true' }, ...tally.present.map(([kind, number]) => {
    const part = make('i', { class: kind.name });
    part.style.flexGrow = number;
    return part;
  }));
  const inWords = (tally) => [...tally.shown.map(([kind, number]) => `${grouped(number)} ${kind.title}`),
    ...(tally.contested ? [`${grouped(tally.contested)} contested`] : [])].join(', ');
  const chips = (tally) => make('p', { class: 'chips' },
    ...tally.shown.map(([kind, number]) => make('span', { class: 'chip' }, shape(kind.name), make('b', {}, grouped(number)), ` ${kind.title}`)),
    ...(tally.contested ? [make('span', { class: 'chip' }, shape('contested'), make('b', {}, grouped(tally.contested)), ' contested')] : []));

  // A labelled choice; the first of `options` stands for none.
  const select = (label, options, change) => {
    const node = make('select', { onchange: () => change(node.value) }, ...options.map(([value, name]) => make('option', { value }, name)));
    return { node, label: make('label', {}, make('span', { title: label }, label), node) };
  };

  // A table whose places are reached with the arrow keys: `look` is pointing at one, `arrive` is getting there by key,
  // `act` is a click, Enter or Space, and Escape goes `back`.
  const walkable = (table, { look, arrive, act, back }) => {
    const body = table.tBodies[0];
    const placeOf = (event) => event.target.closest('td[data-at]');
    const enter = (node) => {
      for (const other of body.querySelectorAll('td[tabindex="0"]')) other.tabIndex = -1;
      node.tabIndex = 0;
    };
    table.addEventListener('click', (event) => { const node = placeOf(event); if (node) { node.focus(); act(node); } });
    table.addEventListener('mouseover', (event) => { const node = placeOf(event); if (node) look(node); });
    table.addEventListener('mouseleave', () => look(null));
    table.addEventListener('focusin', (event) => { const node = placeOf(event); if (node) { enter(node); arrive(node); } });
    table.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0], Home: [0, 1], End: [0, -1] };
      const node = placeOf(event);
      if (!node) return;
      if (event.key === 'Enter' || event.key === ' ') act(node);
      else if (event.key === 'Escape') back();
      else if (event.key in steps) {
        const grid = [...body.rows].map((line) => [...line.querySelectorAll('td')]);
        const [down, across] = steps[event.key];
        let y = node.parentNode.sectionRowIndex;
        let x = grid[y].indexOf(node);
        if (event.key === 'Home') x = -1;
        if (event.key === 'End') x = grid[y].length;
        // Places without a cell are passed over.
        do { y += down; x += across; } while (grid[y] && grid[y][x] && grid[y][x].dataset.at === undefined);
        if (grid[y] && grid[y][x]) grid[y][x].focus();
      } else return;
      event.preventDefault();
    });
  };

  // ------------------------------------------------------------------------------------------------ one map

  const build = (unit, place) => {
    const details = document.getElementById(unit.anchor);
    const host = details && details.querySelector('.map');
    if (!host) return null;
    const cells = cellsOf(unit, place);
    const name = (dimension, level) => `${dimension.name}=${dimension.levels[level]}`;

    // The two axes with the most levels say most; their order is that of the instruction.
    const byLevels = cells.dimensions.filter((one) => one !== cells.classes)
      .sort((one, other) => other.used.length - one.used.length).slice(0, 2)
      .sort((one, other) => cells.dimensions.indexOf(one) - cells.dimensions.indexOf(other));
    const usual = { down: byLevels[0] || cells.nothing, across: byLevels[1] || cells.nothing };
    const unfiltered = { status: '', contested: '', rule: '', refusals: '', finding: '' };
    let filter = null;
    let { down, across } = usual;
    let one = false; // Whether cells are drawn one by one.
    let square = null; // The levels of the square whose cells are drawn.
    let selected = null;

    // ---- controls

    const all = [...cells.dimensions, cells.nothing];
    const along = (label, get, set) => select(label, all.map((dimension, index) => [index, dimension.name]), (value) => {
      set(all[value]);
      square = null;
      draw();
    });
    const axes = {
      down: along('down', () => down, (to) => { if (to === across) across = down; down = to; }),
      across: along('across', () => across, (to) => { if (to === down) down = across; across = to; }),
    };
    const choice = (label, options, change) => select(label, [['', 'all'], ...options], (value) => { change(value); draw(); });
    const main = {
      status: choice('status', cells.statuses.map((kind) => [kind, cells.kinds[kind].title]), (value) => { filter.status = value; }),
    };
    if (cells.every.some(cells.isContested)) {
      main.contested = choice('contested', [['yes', 'contested'], ['no', 'not contested']], (value) => { filter.contested = value; });
    }
    const rules = unit.rules.map((_, index) => index + 1).filter((rule) => cells.every.some((cell) => cells.rule(cell) === rule));
    if (rules.length) {
      main.rule = choice('refused if', rules.map((rule) => [rule, unit.rules[rule - 1][0]]), (value) => { filter.rule = value; });
    }
    if (cells.every.some((cell) => cells.share(cell) > 0)) {
      main.refusals = choice('refusals', [['yes', 'some cases refused'], ['no', 'none refused']], (value) => { filter.refusals = value; });
    }
    if (cells.findings.length) {
      main.finding = choice('finding', cells.findings.map((finding) => [finding.number, `${finding.number}: ${finding.title}`]),
        (value) => { filter.finding = value; });
    }
    const levels = cells.dimensions.map((dimension, index) => choice(dimension.name, dimension.used.map((level) => {
      const gap = unit.gaps.some(([of, only]) => of === index && (only === null || only === level));
      return [level, gap ? `${dimension.levels[level]} (unwitnessed)` : dimension.levels[level]];
    }), (value) => {
      if (value === '') filter.levels.delete(dimension);
      else filter.levels.set(dimension, Number(value));
    }));
    const button = (text, act) => make('button', { type: 'button', onclick: act }, text);
    const reset = () => {
      filter = { ...unfiltered, levels: new Map() };
      [one, square] = [false, null];
    };
    const squaresButton = button('squares', () => { [one, square] = [false, null]; draw(); });
    const cellsButton = button('cells', () => { [one, square] = [true, null]; draw(); });
    const more = make('summary', {});
    const crumb = make('span', { class: 'crumb' });
    const shown = make('p', { class: 'shown', role: 'status' });
    const about = make('div', { class: 'about', 'aria-live': 'polite' });
    const field = make('div', { class: 'scroll' });
    host.replaceChildren(
      make('div', { class: 'filters' }, axes.down.label, axes.across.label, ...Object.values(main).map((one) => one.label),
        button('show all', () => { reset(); draw(); })),
      make('details', { class: 'sub more' }, more, make('div', { class: 'filters' }, ...levels.map((one) => one.label))),
      make('div', { class: 'views' }, make('span', { role: 'group', 'aria-label': 'What is drawn' }, squaresButton, cellsButton), crumb),
      shown, make('div', { class: 'board' }, about, field),
    );

    // The controls say what is set, whoever set it.
    const reflect = () => {
      const set = (node, value) => { node.value = String(value); node.classList.toggle('set', value !== ''); };
      axes.down.node.value = String(all.indexOf(down));
      axes.across.node.value = String(all.indexOf(across));
      for (const [key, { node }] of Object.entries(main)) set(node, filter[key]);
      cells.dimensions.forEach((dimension, index) => set(levels[index].node, filter.levels.has(dimension) ? filter.levels.get(dimension) : ''));
      const fixed = filter.levels.size;
      more.textContent = `Filter by ${cells.classes ? 'axis or class' : 'axis'}${fixed ? `: ${fixed} set` : ''}`;
      squaresButton.setAttribute('aria-pressed', String(!one));
      cellsButton.setAttribute('aria-pressed', String(one));
      crumb.textContent = square ? squareName(square) : '';
    };
    const squareName = ([row, column]) => [[down, row], [across, column]].filter(([dimension]) => dimension !== cells.nothing)
      .map(([dimension, level]) => name(dimension, level)).join(', ') || 'all cells';

    // ---- what stands beside the map

    const tellCell = (cell) => {
      const kind = cells.kind(cell);
      const words = [kind.name === 'unwitnessed' ? 'passed, unwitnessed' : kind.title];
      if (cells.isContested(cell)) words.push('contested');
      const parts = [make('h4', {}, shape(kind.name), `Cell ${cell}: ${words.join(', ')}`)];
      parts.push(make('dl', { class: 'levels' }, ...unit.axes.map((axis, index) => make('div', {},
        make('dt', {}, axis.name), make('dd', {}, cells.level(cell, index))))));
      if (cells.classes) parts.push(make('p', {}, `Class: ${unit.classes[cells.classes.of[cell]]}`));
      if (cells.rule(cell)) parts.push(make('p', {}, `Refused if ${because(cells.rule(cell))}`));
      else if (kind.name === 'unsupported') parts.push(make('p', {}, 'Refused; no rule explains why.'));
      if (cells.share(cell) > 0 && kind.name !== 'unsupported') {
        parts.push(make('p', {}, `${cells.share(cell)} % of its specified cases were refused.`));
      }
      const hole = cells.holes.get(cell);
      if (hole) {
        parts.push(make('p', {}, `${hole[0]} agreed of the ${data.green} that it takes, ${hole[1]} held, ${hole[2]} undefined, `
          + `${hole[3]} diverged, ${hole[4]} unsupported`));
      }
      for (const [axis, level, reason] of cells.gapsOf(cell)) {
        const gap = unit.axes[axis].name + (level === null ? '' : `=${unit.axes[axis].levels[level]}`);
        parts.push(make('p', { class: 'quiet' }, `Unwitnessed: ${gap}: ${reason}`));
      }
      for (const finding of cells.findings.filter((found) => found.cells.has(cell))) {
        parts.push(make('p', {}, make('a', { href: `#finding-${finding.number}` }, `finding ${finding.number}: ${finding.title}`)));
      }
      about.replaceChildren(...parts);
    };
    const because = (rule) => unit.rules[rule - 1][0] + (unit.rules[rule - 1][1] ? `: “${unit.rules[rule - 1][1]}”` : '');
    const tellSquare = (at, here) => {
      const tally = cells.tally(here);
      const partly = here.filter(cells.isPartly);
      const reasons = rules.map((rule) => [rule, here.filter((cell) => cells.rule(cell) === rule).length])
        .filter(([, number]) => number).sort(([, one], [, other]) => other - one);
      about.replaceChildren(make('h4', {}, squareName(at)), make('p', {}, counted(here.length, 'cell')), bar(tally), chips(tally),
        ...reasons.slice(0, 3).map(([rule, number]) => make('p', {}, `${counted(number, 'cell')} refused if ${because(rule)}`)),
        ...(partly.length ? [make('p', {}, `${counted(partly.length, 'green cell')} with refusals, `
          + `up to ${partly.reduce((most, cell) => Math.max(most, cells.share(cell)), 0)} %`)] : []),
        make('p', { class: 'quiet' }, 'A click, or Enter, shows them one by one.'));
    };
    const tellNothing = () => about.replaceChildren(make('h4', {}, one ? 'No cell chosen' : 'No square chosen'), make('p', { class: 'quiet' },
      one ? 'Point at a cell, or choose one with a click or the arrow keys: its axes stand here in words. Escape goes back to the squares.'
        : 'Each square has the cells of two levels: the shape and number of what needs a look first, and the shares of all as a bar. '
          + 'Point at one, or go there with the arrow keys; a click or Enter shows its cells.'));

    // ---- squares

    const drawSquares = (passing) => {
      const { rows, columns, at } = cells.squares(passing, down, across);
      const tall = columns.some((level) => across.levels[level].length > 5);
      const head = make('thead', {}, make('tr', {}, make('td', {}), ...columns.map((level) => make('th', { class: tall ? 'tall' : '', scope: 'col', title: name(across, level) },
        make('span', {}, across.levels[level])))));
      const body = make('tbody');
      for (const row of rows) {
        const line = make('tr', {}, make('th', { scope: 'row', title: name(down, row) }, make('span', {}, down.levels[row])));
        for (const column of columns) {
          const here = at(row, column);
          if (!here) { line.append(make('td', { class: 'none' })); continue; }
          const tally = cells.tally(here);
          const [kind, number] = tally.present[0];
          const node = make('td', { tabindex: '-1', 'data-at': `${row} ${column}`,
            'aria-label': `${squareName([row, column])}: ${inWords(tally)}` },
          make('span', { class: 'count' }, shape(kind.name), grouped(number)), bar(tally));
          if (tally.contested) node.append(shape('contested', 'corner'));
          line.append(node);
        }
        body.append(line);
      }
      const table = make('table', { class: 'squares', role: 'grid', 'aria-label': `Squares of ${unit.title}` },
        make('caption', {}, [[down, '↓'], [across, '→']].filter(([dimension]) => dimension !== cells.nothing)
          .map(([dimension, arrow]) => `${dimension.name} ${arrow}`).join('  ')), head, body);
      const of = (node) => node.dataset.at.split(' ').map(Number);
      walkable(table, {
        look: (node) => { if (node) tellSquare(of(node), at(...of(node))); else tellNothing(); },
        arrive: (node) => tellSquare(of(node), at(...of(node))),
        act: (node) => { [one, square, selected] = [true, of(node), null]; draw(true); },
        back: () => {},
      });
      field.replaceChildren(table);
      return `${counted(rows.length, 'row')} and ${counted(columns.length, 'column')}`;
    };

    // ---- cells

    // A row of heads over, or beside, equal levels: where each begins, and how far it goes.
    const spans = (of, depth) => {
      const found = [];
      of.forEach((levels, index) => {
        const changed = index === 0 || levels.slice(0, depth + 1).some((level, inner) => level !== of[index - 1][inner]);
        if (changed) found.push({ index, level: levels[depth], span: 1 });
        else found[found.length - 1].span += 1;
      });
      return found;
    };

    const drawCells = (passing) => {
      const room = (axes) => Math.max(8, Math.floor((field.clientWidth - (innerWidth <= 640 ? 45 : 90) * Math.max(1, axes)) / PITCH));
      const { down: outer, across: inner, rows, columns, same, at } = cells.table(passing, room);
      if (rows.length * columns.length > MOST) {
        field.replaceChildren();
        return 'they are too many to draw one by one: filter, or choose a square';
      }
      const axis = (index) => unit.axes[index];
      const lead = Math.max(1, outer.length);
      const head = make('thead');
      inner.forEach((index, depth) => {
        const heads = spans(columns, depth);
        const tall = ({ level, span }) => axis(index).levels[level].length * 6 > span * PITCH;
        head.append(make('tr', {}, make('th', { class: 'axis', colspan: lead, scope: 'row', title: axis(index).name }, axis(index).name),
          ...heads.map((found) => make('th', { class: tall(found) ? 'tall' : '', colspan: found.span, scope: 'colgroup',
            title: `${axis(index).name}: ${axis(index).levels[found.level]}` }, make('span', {}, axis(index).levels[found.level])))));
      });
      if (outer.length) {
        head.append(make('tr', {}, ...outer.map((index) => make('th', { class: 'axis row', scope: 'col', title: axis(index).name }, axis(index).name)),
          make('th', { colspan: Math.max(1, columns.length) })));
      }
      const beside = outer.map((_, depth) => new Map(spans(rows, depth).map((found) => [found.index, found])));
      const starts = new Set(inner.length > 1 ? spans(columns, 0).map(({ index }) => index) : [0]);
      const body = make('tbody');
      rows.forEach((_, row) => {
        const line = make('tr', { class: outer.length > 1 && beside[outer.length - 2].has(row) ? 'start' : '' });
        if (!outer.length) line.append(make('td', { class: 'none' }));
        beside.forEach((heads, depth) => {
          const found = heads.get(row);
          if (found) line.append(make('th', { rowspan: found.span, scope: 'rowgroup' }, axis(outer[depth]).levels[found.level]));
        });
        columns.forEach((_, column) => {
          const cell = at(row, column);
          const start = starts.has(column) ? 'start' : '';
          if (cell === undefined) { line.append(make('td', { class: `none ${start}`.trim() })); return; }
          const node = make('td', { class: `${cells.isPartly(cell) ? 'partly ' : ''}${start}`.trim(), tabindex: '-1', 'data-at': cell, 'data-cell': cell, 'aria-selected': String(cell === selected),
            'aria-label': `cell ${cell}: ${cells.kind(cell).title}${cells.isPartly(cell) ? `, ${cells.share(cell)} % refused` : ''}` }, shape(cells.kind(cell).name));
          if (cells.isContested(cell)) node.append(shape('contested', 'corner'));
          line.append(node);
        });
        body.append(line);
      });
      const table = make('table', { class: 'cells', role: 'grid', 'aria-label': `Cells of ${unit.title}` }, head, body);
      walkable(table, {
        look: (node) => { if (node) tellCell(Number(node.dataset.cell)); else if (selected !== null) tellCell(selected); else tellNothing(); },
        arrive: (node) => choose(Number(node.dataset.cell)),
        act: (node) => choose(Number(node.dataset.cell)),
        back: () => { const from = square; [one, square] = [false, null]; draw(true, from); },
      });
      const names = (of) => of.map((index) => axis(index).name).join(', ') || 'nothing';
      const fixed = same.map((index) => `${axis(index).name}=${cells.level(passing[0], index)}`).join(', ');
      field.replaceChildren(make('p', { class: 'order' }, `Down, outermost first: ${names(outer)}. Across: ${names(inner)}.`), table,
        ...(fixed && passing.length > 1 ? [make('p', { class: 'quiet' }, `All of them: ${fixed}.`)] : []));
      return '';
    };

    const choose = (cell) => {
      for (const node of field.querySelectorAll('td[aria-selected="true"]')) node.setAttribute('aria-selected', 'false');
      selected = cell;
      const node = [...field.querySelectorAll('td')].find((drawn) => drawn.dataset.cell === String(cell));
      if (!node) return;
      node.setAttribute('aria-selected', 'true');
      tellCell(cell);
      history.replaceState(null, '', `#${unit.anchor}/${cell}`);
    };

    // ---- both

    // Filters act first. With `focus` the keyboard follows, to the square `from` if it is drawn.
    const draw = (focus = false, from = null) => {
      reflect();
      let passing = cells.passing(filter);
      if (square) passing = passing.filter((cell) => down.of[cell] === square[0] && across.of[cell] === square[1]);
      if (!passing.includes(selected)) selected = null;
      const said = passing.length ? (one ? drawCells(passing) : drawSquares(passing)) : (field.replaceChildren(), 'no cell passes the filters');
      const some = passing.length === cells.count ? counted(cells.count, 'cell') : `${grouped(passing.length)} of ${counted(cells.count, 'cell')}`;
      const words = passing.length && passing.length < cells.count ? inWords(cells.tally(passing)) : '';
      shown.textContent = [some, said, words].filter(Boolean).join(': ');
      const entry = (from && field.querySelector(`td[data-at="${from.join(' ')}"]`)) || field.querySelector('td[aria-selected="true"]')
        || field.querySelector('td[data-at]');
      if (entry) entry.tabIndex = 0;
      if (selected !== null) tellCell(selected);
      else tellNothing();
      if (focus && entry) entry.focus();
    };

    // Shows a cell, whatever is filtered, or the cells of a finding.
    const show = (what) => {
      reset();
      const finding = /^finding-(\d+)$/.exec(what);
      if (finding && cells.findings.some(({ number }) => String(number) === finding[1])) [, filter.finding] = finding;
      const cell = /^\d+$/.test(what) ? Number(what) : cells.count;
      if (cell < cells.count) {
        [one, square] = [true, [down.of[cell], across.of[cell]]];
      }
      draw();
      if (cell < cells.count) choose(cell);
    };

    reset();
    draw();
    let width = field.clientWidth;
    addEventListener('resize', () => {
      if (details.open && one && field.clientWidth !== width) draw();
      width = field.clientWidth;
    });
    return { show };
  };

  // ------------------------------------------------------------------------------------------------ opening them

  const maps = new Map();
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
