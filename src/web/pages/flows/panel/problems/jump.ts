import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { startId, type Builder } from '../../builder/builder-context.ts';
import { getAt } from '../../edits/at.ts';
import type { Issue } from '../../json/issue-list.tsx';
import { placeOf } from './fix.ts';

/** The block and the field that a problem is of: of the start for triggers; undefined where no panel shows it. */
export const findPlace = (
  { definition }: Pick<Builder, 'definition'>,
  { block_id: blockId, path }: Issue,
): { blockId: string; path: string } | undefined => {
  const place = placeOf(path);
  if (!place) return /^(?:triggers|start|reentry)(?:\.|$)/.test(path) ? { blockId: startId, path } : undefined;
  const block = getAt(definition, `blocks.${place.index}`);
  const id = blockId ?? (isObject(block) ? block['id'] : undefined);
  return typeof id === 'string' && id !== '' ? { blockId: id, path: place.within } : undefined;
};

/** Opens the panel at a problem's field. */
export const jumpTo = (builder: Pick<Builder, 'definition' | 'open'>, issue: Issue): void => {
  const place = findPlace(builder, issue);
  if (place) builder.open(place.blockId, place.path);
};
