import { getAt } from '../../edits/at.ts';
import { blocksOf, textOf } from '../../edits/blocks.ts';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { put, useNear } from './fix-values.ts';
import { placeOf, type FindFixes } from './fix.ts';
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

/** The most numbers that are tried for a new id. */
const mostTried = 1_000;

/** The second block of an id gets another one. What leads to the id leads to the first one, as before. */
export const renameSecond: FindFixes = ({ issue, definition, value }) => {
  if (typeof value !== 'string') return [];
  const ids = new Set(blocksOf(definition).map((block) => textOf(block, 'id')));
  for (let number = 2; number < mostTried; number += 1) {
    const id = `${value.slice(0, 60)}_${number}`;
    if (!ids.has(id)) return [put(words.rename(id), issue.path, id)];
  }
  return [];
};

/** A flow begins with one of its blocks. */
export const chooseStart: FindFixes = (problem) => {
  const first = blocksOf(problem.definition)
    .map((block) => textOf(block, 'id'))
    .find((id) => id !== '');
  const near = useNear(problem);
  return near.length > 0 || first === undefined ? near : [put(words.startWith(first), 'start', first)];
};

/** A block that no run reaches. Who wants it connects it; who does not removes it, with its place on the canvas. */
export const removeBlock: FindFixes = ({ issue }) => {
  const place = placeOf(issue.path);
  const { block_id: id } = issue;
  if (!place || id === null) return [];
  return [
    {
      label: words.removeBlock,
      type: 'edit',
      change: (definition) => {
        const block = getAt(definition, `blocks.${place.index}`);
        const { blocks } = definition;
        if (!isObject(block) || block['id'] !== id || !Array.isArray(blocks)) return definition;
        return { ...definition, blocks: blocks.toSpliced(place.index, 1) };
      },
    },
  ];
};
