'use strict';
// The page works without its script. It adds: the maps of cells with their filters, copying, and a choice of light and
// dark. Every text is set as text; nothing is parsed as markup. The files of the script stand one after the other in one
// element and share `tandem`.
const tandem = (() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const SVG = document.querySelector('svg').namespaceURI;

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
    const all = [...document.querySelectorAll('main details:not(.more)')];
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

  return { data, make, shape, grouped };
})();
