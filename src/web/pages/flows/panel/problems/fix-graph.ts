import { blocksOf, textOf } from '../../edits/blocks.ts';
import { freshId } from '../../edits/ids.ts';
import { idsOf } from '../../edits/order.ts';
import { removeBlocks } from '../../edits/remove.ts';
import { put, useNear } from './fix-values.ts';
import type { FindFixes } from './fix.ts';
import { words } from './words.ts';

/** A port that leads nowhere, or to a block that is not there. */
export const connectPort: FindFixes = (problem) => {
  const { issue } = problem;
  const [, port] = /^blocks\.\d+\.next\.(.+)$/.exec(issue.path) ?? [];
  const { block_id: from } = issue;
  if (port === undefined || from === null) return useNear(problem);
  return [
    ...useNear(problem),
    { label: words.connect(port), type: 'connect', from, port },
    put(words.endFlow, issue.path, null),
  ];
};

/** The second block of an id gets another one. What leads to the id leads to the first one, as before. */
export const renameSecond: FindFixes = ({ issue, definition, value }) => {
  if (typeof value !== 'string') return [];
  const id = freshId(value, idsOf(definition));
  return [put(words.rename(id), issue.path, id)];
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
export const removeUnreached: FindFixes = ({ issue: { block_id: id } }) =>
  id === null
    ? []
    : [
        {
          label: words.removeBlock,
          type: 'edit',
          change: (definition) => removeBlocks(definition, new Set([id])),
        },
      ];
