import { maxRendered, newBudget, spend, type Budget } from './budget.ts';
import { applyFilter, unitsOfFilter } from './filters.ts';
import { emptyScope, Marker, type Scope } from './scope.ts';
import { parseTemplate, type Placeholder } from './template.ts';
import { encodeText, textOf, TooDeep, type Value } from './values.ts';

/** Why nothing was rendered: where in the template, counted from 0, and by which placeholder. */
export type RenderProblem = {
  code: 'syntax' | 'too_long' | 'invalid_json' | 'invalid_url' | 'invalid_header';
  position: number;
  path: string | null;
  message: string;
};

export type Rendered = { ok: true; text: string } | { ok: false; problem: RenderProblem };

/** Thrown by what renders one part, and caught by `attempt` around the whole: the rest is of no use then. */
export class Refusal extends Error {
  readonly problem: RenderProblem;

  constructor(problem: RenderProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** What comes of rendering, or why it was refused. */
export const attempt = <Made>(make: () => Made): { ok: true; made: Made } | { ok: false; problem: RenderProblem } => {
  try {
    return { ok: true, made: make() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.problem };
    if (!(error instanceof TooDeep)) throw error;
    const message = 'has a value that is nested too deeply';
    return { ok: false, problem: { code: 'too_long', position: 0, path: null, message } };
  }
};

/** How a place takes texts of the template and values; `text` may look at what it is given, and answers what is written. */
export type Place = {
  text: (text: string, position: number) => string;
  value: (value: Value, placeholder: Placeholder) => string;
};

/** Where each value stands in what was rendered. */
export type Span = { start: number; end: number; placeholder: Placeholder };

/** What a placeholder takes to be read, in units of a budget. */
const unitsOfPlaceholder = 300;

/** The value of a placeholder after its filters. */
export const evaluate = (placeholder: Placeholder, scope: Scope, budget = scope.budget ?? newBudget()): Value => {
  const { path, literal, filters } = placeholder;
  if (!spend(budget, unitsOfPlaceholder)) throw tooCostly(placeholder);
  const found = path === null ? (literal ?? undefined) : scope.find(path);
  let value: Value = found instanceof Marker ? { type: 'marker', marker: found } : { type: 'json', value: found };
  for (const filter of filters) {
    if (!spend(budget, unitsOfFilter(filter))) throw tooCostly(placeholder);
    value = applyFilter(filter, value, scope);
    if (!spend(budget, textOf(value).length)) throw tooCostly(placeholder);
  }
  return value;
};

const tooLong = ({ position, path }: { position: number; path: string | null }): Refusal =>
  new Refusal({ code: 'too_long', position, path, message: `becomes longer than ${maxRendered} characters` });

/** The values of its block take too much computing all together, as a long one in many placeholders does. */
const tooCostly = ({ position, path }: { position: number; path: string | null }): Refusal =>
  new Refusal({ code: 'too_long', position, path, message: 'is too long to be filled in' });

/** Renders a template into a place. `finish` looks at the whole and may refuse it. */
export const render = (
  source: string,
  scope: Scope,
  place: Place,
  finish?: (text: string, spans: readonly Span[]) => void,
): Rendered => {
  const budget = scope.budget ?? newBudget();
  const rendered = attempt(() => {
    if (!spend(budget, source.length)) throw tooCostly({ position: 0, path: null });
    const { parts, problems } = parseTemplate(source);
    const [fault] = problems;
    if (fault) throw new Refusal({ code: 'syntax', path: null, ...fault });
    return joinParts(parts, { ...scope, budget }, place, finish);
  });
  return rendered.ok ? { ok: true, text: rendered.made } : rendered;
};

const joinParts = (
  parts: readonly (string | Placeholder)[],
  scope: Scope & { budget: Budget },
  place: Place,
  finish?: (text: string, spans: readonly Span[]) => void,
): string => {
  const spans: Span[] = [];
  let text = '';
  let position = 0;
  for (const part of parts) {
    const start = text.length;
    if (typeof part === 'string') {
      text += place.text(part, position);
      position += part.length;
    } else {
      text += place.value(evaluate(part, scope), part);
      position = part.end;
      spans.push({ start, end: text.length, placeholder: part });
    }
    const here = typeof part === 'string' ? { position, path: null } : part;
    if (text.length > maxRendered) throw tooLong(here);
    if (!spend(scope.budget, text.length - start)) throw tooCostly(here);
  }
  finish?.(text, spans);
  return text;
};

const asIs = (text: string): string => text;

/** As it is read by a person. */
export const renderText = (source: string, scope: Scope): Rendered =>
  render(source, scope, { text: asIs, value: textOf });

/** A value of a header: no line break, no control character, nothing beyond Latin-1. */
export const renderHeader = (source: string, scope: Scope): Rendered =>
  render(source, scope, {
    text: (text, position) => checkHeader(text, { position, path: null }),
    value: (value, placeholder) => checkHeader(textOf(value), placeholder),
  });

/** What keeps a template from ever being a value of a header, whatever its values are. */
export const findHeaderTemplateFault = (source: string): RenderProblem | undefined => {
  const text = (part: string, position: number) => checkHeader(part, { position, path: null });
  const rendered = render(source, emptyScope, { text, value: () => '' });
  return rendered.ok || rendered.problem.code !== 'invalid_header' ? undefined : rendered.problem;
};

const checkHeader = (text: string, { position, path }: { position: number; path: string | null }): string => {
  // oxlint-disable-next-line no-control-regex -- they are what a header may not hold
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
  const message = 'has a line break, or another character that no header can hold';
  throw new Refusal({ code: 'invalid_header', position, path, message });
};

/** A value of a form or of a query, encoded as `application/x-www-form-urlencoded`. */
export const renderForm = (source: string, scope: Scope): Rendered =>
  render(source, scope, { text: encodeForm, value: (value) => encodeForm(textOf(value)) });

/** A name or a value of a form or of a query. */
export const encodeForm = (text: string): string => encodeText(text).replaceAll('%20', '+');
