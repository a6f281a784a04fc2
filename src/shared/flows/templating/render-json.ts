import { findJsonFault } from './json-fault.ts';
import { Refusal, render, type Rendered, type Span } from './render.ts';
import type { Scope } from './scope.ts';
import type { Placeholder } from './template.ts';
import { isEmpty, stringify, textOf, type Value } from './values.ts';

/**
 * Renders a template of JSON. Within quotes a value is text that is escaped; outside them it is JSON of its own type, null when it is
 * empty. What was rendered is JSON, or it is refused with the position and the placeholder.
 */
export const renderJson = (source: string, scope: Scope): Rendered => {
  const quotes = new Quotes();
  return render(
    source,
    scope,
    {
      text: (text) => {
        quotes.read(text);
        return text;
      },
      value: (value, placeholder) => {
        if (quotes.afterBackslash) throw invalid('has a placeholder after a backslash', placeholder);
        return quotes.open ? JSON.stringify(textOf(value)).slice(1, -1) : nativeJson(value);
      },
    },
    (text, spans) => refuseUnlessJson(text, spans),
  );
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
