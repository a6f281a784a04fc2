import type { Json } from '../../custom-fields/values.ts';
import { attempt, evaluate, render, type RenderProblem } from './render.ts';
import type { Scope } from './scope.ts';
import { parseTemplate } from './template.ts';
import { textOf } from './values.ts';

export type RenderedValue = { ok: true; value: Json | undefined } | { ok: false; problem: RenderProblem };

/** A template that is one placeholder alone is its value, of whichever type; every other one is a text. */
export const renderValue = (source: string, scope: Scope): RenderedValue => {
  const { parts, problems } = parseTemplate(source);
  const [only] = parts;
  if (problems.length === 0 && parts.length === 1 && typeof only === 'object') {
    const evaluated = attempt(() => evaluate(only, scope));
    if (!evaluated.ok) return evaluated;
    const { made: value } = evaluated;
    return { ok: true, value: value.type === 'json' ? value.value : textOf(value) };
  }
  const rendered = render(source, scope, { text: (text) => text, value: textOf });
  return rendered.ok ? { ok: true, value: rendered.text } : rendered;
};
