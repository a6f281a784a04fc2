import type { CurlRequest } from '../../../../shared/flows/curl/compose.ts';
import type { AnyDefinition } from '../definition-text.ts';
import { addBlock } from '../edits/add.ts';
import { freshId } from '../edits/ids.ts';
import { moveBlocks } from '../edits/move.ts';
import { idsOf } from '../edits/order.ts';

/** Adds a block that makes this request, by itself. A flow that is full stays as it is. */
export const addRequest = (
  definition: AnyDefinition,
  request: CurlRequest,
  at: { x: number; y: number } | undefined,
): { id: string; definition: AnyDefinition } => {
  const id = freshId('request', idsOf(definition));
  const added = addBlock(definition, { block: { id, type: 'external_request', ...request } });
  return { id, definition: at && added !== definition ? moveBlocks(added, new Map([[id, at]])) : added };
};
