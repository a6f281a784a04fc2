import { listItems, withItem, type Item } from '../flows/blocks/for-each.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import { renderRequest, type RenderedRequest, type RenderOptions, type RequestProblem } from './render-request.ts';

/** `items`: how many the list has; undefined without one, and for a list that cannot be read. */
type RenderedFirst = { idempotencyKey: string; item?: Item; items?: number } & (
  | { ok: true; request: RenderedRequest }
  | { ok: false; problem: RequestProblem }
);

/** Renders the request of a block, with `for_each` the one for the first item, whose key ends in its index. */
export const renderFirst = (config: ExternalRequest, options: RenderOptions): RenderedFirst => {
  const { scope, idempotencyKey } = options;
  if (!config.for_each) return { ...renderRequest(config, options), idempotencyKey };
  const listed = listItems(config.for_each, scope);
  const items = listed.ok ? listed.items : [];
  const [value] = items;
  if (value === undefined) {
    const message = listed.ok ? 'is an empty list, so no request is made' : listed.message;
    return { ok: false, problem: { place: 'for_each.items', message }, idempotencyKey, ...(listed.ok && { items: 0 }) };
  }
  const item = { index: 0, value };
  const ofItem = `${idempotencyKey}:0`;
  const rendered = renderRequest(config, { ...options, scope: withItem(scope, item), idempotencyKey: ofItem });
  return { ...rendered, item, items: items.length, idempotencyKey: ofItem };
};
