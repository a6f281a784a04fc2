import { blocksOf, textOf } from '../../edits/blocks.ts';
import { freshIdOf } from '../../edits/ids.ts';
import { isId, refsOf } from '../../edits/refs.ts';
import { removeBlocks } from '../../edits/remove.ts';
import { put, useNear } from './fix-values.ts';
import { findBlockOf, placeOf, type FindFixes } from './fix.ts';
import { words } from './words.ts';

/** A port that leads nowhere, or to a block that is not there. */
export const connectPort: FindFixes = (problem) => {
  const { issue, definition } = problem;
  const [, port] = /^blocks\.\d+\.next\.(.+)$/.exec(issue.path) ?? [];
  const from = findBlockOf(definition, issue);
  if (port === undefined || from === undefined) return useNear(problem);
  return [
    ...useNear(problem),
    { label: words.connect(port), type: 'connect', from, port },
    put(words.endFlow, issue.path, null),
  ];
};

/** The second block of an id gets another one. What leads to the id leads to the first one, as before. */
export const renameSecond: FindFixes = ({ issue, definition, value }) => {
  if (typeof value !== 'string') return [];
  const id = freshIdOf(definition, placeOf(issue.path)?.index ?? -1);
  return [put(words.rename(id), issue.path, id)];
};

/** A block whose id is none, or no text. */
export const giveId: FindFixes = ({ issue, definition }) => {
  const place = placeOf(issue.path);
  const ref = refsOf(definition)[place?.index ?? -1];
  if (place?.within !== 'id' || ref === undefined || isId(ref)) return [];
  return [put(words.giveId, issue.path, freshIdOf(definition, place.index))];
};

/** A flow begins with one of its blocks. */
export const chooseStart: FindFixes = (problem) => {
  const first = blocksOf(problem.definition)
    .map((block) => textOf(block, 'id'))
    .find((id) => id !== '');
  const near = useNear(problem);
  return near.length > 0 || first === undefined ? near : [put(words.startWith(first), 'start', first)];
};

/** A block that no run reaches. Who wants it connects it; who does not removes it. */
export const removeUnreached: FindFixes = ({ issue, definition: now }) => {
  const ref = findBlockOf(now, issue);
  if (ref === undefined) return [];
  return [{ label: words.removeBlock, type: 'edit', change: (definition) => removeBlocks(definition, new Set([ref])) }];
};
