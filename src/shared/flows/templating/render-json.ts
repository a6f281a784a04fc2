import { findJsonFault } from './json-fault.ts';
import { Refusal, render, type Place, type RenderProblem, type Rendered, type Span } from './render.ts';
import { emptyScope, type Scope } from './scope.ts';
import { parseTemplate, type Placeholder } from './template.ts';
import { isEmpty, stringify, textOf, type Value } from './values.ts';

/**
 * Renders a template of JSON. Within quotes a value is text that is escaped; outside them it is JSON of its own type, null when it is
 * empty. What was rendered is JSON, or it is refused with the position and the placeholder.
 */
export const renderJson = (source: string, scope: Scope): Rendered =>
  render(
    source,
    scope,
    inJson((value, { isQuoted }) => (isQuoted ? JSON.stringify(textOf(value)).slice(1, -1) : nativeJson(value))),
    refuseUnlessJson,
  );

/**
 * What keeps a template from ever becoming JSON, whatever its values are; undefined where some values make it JSON, or where the template cannot
 * be read.
 */
export const findJsonTemplateFault = (source: string): RenderProblem | undefined => {
  const probe = inJson((_, { isQuoted, placeholder }) => (isQuoted ? '0000' : probeOf(source, placeholder)));
  const rendered = render(source, emptyScope, probe, refuseUnlessJson);
  return rendered.ok || rendered.problem.code !== 'invalid_json' ? undefined : rendered.problem;
};

/** Digits where something that can be part of a number touches the placeholder, else a text, which may also be a key. */
const probeOf = (source: string, { position, end }: Placeholder): string =>
  /[\d.eE+}-]/.test(source[position - 1] ?? '') || /[\d.eE+{-]/.test(source[end] ?? '') ? '1' : '"1"';

/** Where the placeholders begin that stand outside of quotes, and so become null when they are empty. */
export const unquotedPlaceholders = (source: string): ReadonlySet<number> => {
  const quotes = new Quotes();
  const found = new Set<number>();
  for (const part of parseTemplate(source).parts)
    if (typeof part === 'string') quotes.read(part);
    else if (!quotes.open) found.add(part.position);
  return found;
};

type InJson = { isQuoted: boolean; placeholder: Placeholder };

/** A place in JSON: values are written by whether they stand within quotes. */
const inJson = (write: (value: Value, at: InJson) => string): Place => {
  const quotes = new Quotes();
  return {
    text: (text) => {
      quotes.read(text);
      return text;
    },
    value: (value, placeholder) => {
      if (quotes.afterBackslash) throw invalid('has a placeholder after a backslash', placeholder);
      return write(value, { isQuoted: quotes.open, placeholder });
    },
  };
};

/** Follows the text of a template from quote to quote. */
class Quotes {
  open = false;
  afterBackslash = false;

  read(text: string): void {
    for (const [found] of text.matchAll(this.afterBackslash ? /^[^]|\\[^]?|"/g : /\\[^]?|"/g)) {
      if (found === '"' && !this.afterBackslash) this.open = !this.open;
      this.afterBackslash = this.open && found === '\\';
    }
  }
}

const nativeJson = (value: Value): string => {
  if (isEmpty(value)) return 'null';
  if (value.type === 'raw' && value.by === 'json') return value.text;
  return value.type === 'json' ? stringify(value.value ?? null) : JSON.stringify(textOf(value));
};

const refuseUnlessJson = (text: string, spans: readonly Span[]): void => {
  try {
    JSON.parse(text);
  } catch {
    const fault = findJsonFault(text) ?? { offset: 0, message: 'is not JSON' };
    const span = spans.findLast(({ start }) => start <= fault.offset);
    if (span && fault.offset < span.end) throw invalid(fault.message, span.placeholder);
    // Between values, what was rendered stands as it does in the template, only shifted.
    const position = span ? span.placeholder.end + fault.offset - span.end : fault.offset;
    throw invalid(fault.message, { position, path: span?.placeholder.path ?? null });
  }
};

const invalid = (message: string, { position, path }: Pick<Placeholder, 'position' | 'path'>): Refusal =>
  new Refusal({ code: 'invalid_json', position, path, message });
