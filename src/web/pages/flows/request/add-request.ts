import type { CurlRequest } from '../../../../shared/flows/curl/compose.ts';
import { isObject } from '../../../../shared/flows/raw-blocks.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { blocksOf, textOf } from '../edits/blocks.ts';
import { connect } from '../edits/connect.ts';
import { mainPortOf } from '../edits/ports.ts';

const idFor = (definition: AnyDefinition): string => {
  const taken = new Set(blocksOf(definition).map((block) => block['id']));
  let id = 'request';
  for (let count = 2; taken.has(id); count += 1) id = `request_${count}`;
  return id;
};

/** The definition whose last block goes on nowhere: the next one in the list would follow it otherwise. */
const withoutFollowing = (definition: AnyDefinition): AnyDefinition => {
  const last = blocksOf(definition).at(-1);
  const port = last && mainPortOf(last);
  if (!last || !port) return definition;
  const isSaid = isObject(last['next']) && Object.hasOwn(last['next'], port.name);
  return isSaid || port.omitted !== 'following'
    ? definition
    : connect(definition, { from: textOf(last, 'id'), port: port.name, to: null });
};

/** Adds a block that makes this request, connected with nothing; an empty flow begins with it. */
export const addRequest = (
  definition: AnyDefinition,
  request: CurlRequest,
  at: { x: number; y: number } | undefined,
): { id: string; definition: AnyDefinition } => {
  const id = idFor(definition);
  const before = withoutFollowing(definition);
  const { blocks, ui, start } = before;
  const block = { id, type: 'external_request', ...request, next: { success: null } };
  const places = isObject(ui) ? ui : {};
  const positions = isObject(places['positions']) ? places['positions'] : {};
  return {
    id,
    definition: {
      ...before,
      ...(typeof start !== 'string' && { start: id }),
      blocks: [...(Array.isArray(blocks) ? blocks : []), block],
      ...(at && { ui: { ...places, positions: { ...positions, [id]: at } } }),
    },
  };
};
