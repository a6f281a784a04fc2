import { childrenOf, isValue, parseTree, propertiesOf, rootOf, type Node } from './tree.ts';

/** A range of a text, by characters. */
export type Place = { from: number; to: number };

/** Where the first thing stands that is no JSON; the end of the text where nothing is wrong. */
export const findBreak = (text: string): Place => {
  let found = text.length;
  parseTree(text).iterate({
    enter: ({ type, from }) => {
      if (type.isError) found = Math.min(found, from);
    },
  });
  return { from: found, to: Math.min(found + 1, text.length) };
};

/** Finds dotted paths such as `blocks.0.save_to` in a text of JSON: where the name stands, or what is nearest above it. */
export const createPlaces = (text: string): ((path: string) => Place) => {
  const root = rootOf(parseTree(text));
  return (path) => {
    let node = root;
    let place: Place = { from: root?.from ?? 0, to: (root?.from ?? 0) + 1 };
    const parts = path === '' ? [] : path.split('.');
    while (node && parts.length > 0) {
      const step: Step | undefined = node.name === 'Array' ? itemOf(node, parts) : propertyOf(text, node, parts);
      if (!step) break;
      ({ node, place } = step);
      parts.splice(0, step.taken);
    }
    return { from: Math.min(place.from, text.length), to: Math.min(place.to, text.length) };
  };
};

type Step = { node: Node | undefined; place: Place; taken: number };

const itemOf = (array: Node, [index]: readonly string[]): Step | undefined => {
  const item = childrenOf(array).filter(isValue)[Number(index)];
  return item && { node: item, place: { from: item.from, to: item.from + 1 }, taken: 1 };
};

/** Names of headers may have dots themselves. */
const propertyOf = (text: string, object: Node, parts: readonly string[]): Step | undefined => {
  for (const { name, key, value } of propertiesOf(text, object)) {
    const taken = name === parts[0] ? 1 : name === parts.join('.') ? parts.length : 0;
    if (taken > 0) return { node: value, place: { from: key.from, to: key.to }, taken };
  }
  return undefined;
};
