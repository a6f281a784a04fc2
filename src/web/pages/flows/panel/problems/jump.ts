import { startId, type Builder } from '../../builder/builder-context.ts';
import type { Issue } from '../../json/issue-list.tsx';
import { findBlockOf, placeOf } from './fix.ts';

/** The block and the field that a problem is of: of the start for triggers; undefined where no panel shows it. */
export const findPlace = (
  { definition }: Pick<Builder, 'definition'>,
  issue: Issue,
): { blockId: string; path: string } | undefined => {
  const { path } = issue;
  const place = placeOf(path);
  if (!place) return /^(?:triggers|start|reentry)(?:\.|$)/.test(path) ? { blockId: startId, path } : undefined;
  const blockId = findBlockOf(definition, issue);
  return blockId === undefined ? undefined : { blockId, path: place.within };
};

/** Opens the panel at a problem's field. */
export const jumpTo = (builder: Pick<Builder, 'definition' | 'open'>, issue: Issue): void => {
  const place = findPlace(builder, issue);
  if (place) builder.open(place.blockId, place.path);
};
