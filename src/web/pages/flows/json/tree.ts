import { jsonLanguage } from '@codemirror/lang-json';

type Tree = ReturnType<typeof jsonLanguage.parser.parse>;

/** A node of a text's syntax tree; of a text that is not all JSON, too. */
export type Node = Tree['topNode'];

/** A property of an object as it is written; without a value while that is missing. */
type Property = { name: unknown; key: Node; value: Node | undefined };

const values = new Set(['True', 'False', 'Null', 'Number', 'String', 'Object', 'Array']);

export const isValue = ({ name }: Node): boolean => values.has(name);

/** Parses a text, whatever is wrong with it. */
export const parseTree = (text: string): Tree => jsonLanguage.parser.parse(text);

/** The value that the whole text is. */
export const rootOf = ({ topNode }: Tree): Node | undefined => childrenOf(topNode).find(isValue);

export const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
};

/** The properties of an object in their order. */
export const propertiesOf = (text: string, object: Node): Property[] =>
  childrenOf(object).flatMap((property) => {
    const [key, ...rest] = childrenOf(property);
    if (key?.name !== 'PropertyName') return [];
    return [{ name: readText(text, key), key, value: rest.find(isValue) }];
  });

/** The value of a literal; undefined of what is no JSON. */
export const readText = (text: string, { from, to }: Node): unknown => {
  try {
    return JSON.parse(text.slice(from, to));
  } catch {
    return undefined;
  }
};
