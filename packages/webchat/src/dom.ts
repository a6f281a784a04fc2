type Attributes = Record<string, string | boolean | undefined>;

type Child = Node | string;

const fill = <E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E => {
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children);
  return element;
};

/** Sets or removes an attribute. */
export const setAttribute = (element: Element, name: string, value: string | boolean | undefined): void => {
  if (value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? '' : value);
};

/** An element. Texts become text, never markup. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => fill(document.createElement(name), attributes, children);

const svg = 'http://www.w3.org/2000/svg';

/** An icon of lines on a field of 24 × 24, which says nothing to screen readers. */
export const icon = (path: string, name = ''): SVGElement =>
  fill(document.createElementNS(svg, 'svg'), { viewBox: '0 0 24 24', 'aria-hidden': 'true', class: `icon ${name}` }, [
    fill(document.createElementNS(svg, 'path'), { d: path }, []),
  ]);

/** A style sheet that needs no `style-src` of the page's policy. */
export const sheetOf = (css: string): CSSStyleSheet => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
};
