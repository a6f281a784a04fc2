import { childrenOf, isValue, parseTree, propertiesOf, readText, rootOf, type Node } from '../tree.ts';
import { words } from '../words.ts';
import { alternativesOf, below, isHolder, nameOf, propertyOf, schemasAt, type Schema } from './schema.ts';
import { tokenAt, type Token } from './token.ts';

/** What may be written at a position: `json` takes the place of the token, with the cursor at `caret` in it. */
export type Proposal = {
  label: string;
  detail?: string;
  json: string;
  caret: number;
  /** Whether a choice of values follows. */
  opensNext: boolean;
};

export type Proposals = { token: Token; of: 'keys' | 'values'; proposals: Proposal[] };

/** The most ids of blocks that are proposed, as many as a flow may have. */
const maxIds = 500;

type Around = { root: Schema; ids: readonly string[] };

/** What a schema has for a position of a text, which need not be all JSON. */
export const proposalsAt = (text: string, pos: number, root: Schema): Proposals => {
  const token = tokenAt(text, pos);
  const tree = parseTree(text);
  const before = text.slice(0, token.from).trimEnd();
  const last = before.at(-1);
  const holder = holderAt(tree.topNode, before.length);
  const none: Proposals = { token, of: 'values', proposals: [] };
  if (!holder) return none;
  const around = { root, ids: idsIn(text, rootOf(tree)) };
  if (holder.name === 'Array' && last !== '[' && last !== ',') return none;
  if (holder.name === 'Object' && last !== ':') {
    const others = propertiesOf(text, holder).filter(({ key }) => key.from !== token.from);
    const written = new Set(others.map(({ name }) => name));
    const proposals = keysOf(around, schemasAt({ root, text, node: holder })).filter(
      ({ label }) => !written.has(label),
    );
    return { token, of: 'keys', proposals };
  }
  const name = holder.name === 'Object' ? nameOf(text, holder, token.from) : undefined;
  const holders = schemasAt({ root, text, node: holder, chosenAt: token.from });
  const schemas = holders.flatMap((schema) => below(schema, name) ?? []);
  const values = valuesOf(around, schemas, name);
  return { token, of: 'values', proposals: token.isQuoted ? values.filter(({ json }) => !/^[[{]/.test(json)) : values };
};

/** The object or array that is open at a position. */
const holderAt = (top: Node, at: number): Node | undefined => {
  for (let node: Node | null = top.resolveInner(at, -1); node; node = node.parent) {
    const isClosed = node.to <= at && /^[\]}]$/.test(node.lastChild?.name ?? '');
    if (isHolder(node) && !isClosed) return node;
  }
  return undefined;
};

const idsIn = (text: string, root: Node | undefined): string[] => {
  const blocks = root && propertiesOf(text, root).find(({ name }) => name === 'blocks')?.value;
  const ids = (blocks ? childrenOf(blocks) : []).filter(isValue).flatMap((block) => {
    const id = propertiesOf(text, block).find(({ name }) => name === 'id')?.value;
    const read = id && readText(text, id);
    return typeof read === 'string' && read !== '' ? [read] : [];
  });
  return [...new Set(ids)].slice(0, maxIds);
};

/** The names that all of these objects may have. */
const keysOf = (around: Around, schemas: readonly Schema[]): Proposal[] => {
  const [first, ...others] = schemas.map((schema) => namesOf(around, schema));
  const common = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  return common.map((name) => {
    const of = schemas.flatMap((schema) => propertyOf(schema, name) ?? []);
    const { json, caret, opensNext } = skeletonOf(around, of, name);
    const key = `${JSON.stringify(name)}: `;
    const detail = of.find(({ description }) => description !== undefined)?.description;
    return { label: name, ...(detail && { detail }), json: key + json, caret: key.length + caret, opensNext };
  });
};

const namesOf = ({ root, ids }: Around, { properties = {}, propertyNames = {} }: Schema): string[] => [
  ...Object.keys(properties),
  ...(propertyNames.enum ?? []).map(String),
  ...(isBlockId(root, propertyNames) ? ids : []),
];

type Skeleton = Pick<Proposal, 'json' | 'caret' | 'opensNext'>;

/** A value to begin with. */
const skeletonOf = (around: Around, schemas: readonly Schema[], name: string): Skeleton => {
  const [first, ...others] = schemas.flatMap((schema) => alternativesOf(around.root, schema));
  const done = (value: unknown): Skeleton => {
    const json = JSON.stringify(value);
    const isEmpty = json === '""' || json === '[]' || json === '{}';
    return { json, caret: isEmpty ? 1 : json.length, opensNext: false };
  };
  if (first?.const !== undefined && others.length === 0) return done(first.const);
  if (first?.type === 'string') {
    const isChoice = valuesOf(around, schemas, name).some(({ json }) => json.startsWith('"'));
    return { ...done(''), opensNext: isChoice };
  }
  if (first?.default !== undefined) return done(first.default);
  switch (first?.type) {
    case 'array':
      return done([]);
    case 'object':
      return done({});
    case 'boolean':
      return done(false);
    case 'integer':
    case 'number':
      return done(first.minimum ?? 0);
    case undefined:
    default:
      return done(null);
  }
};

/** The values that one of these schemas names, each once. */
const valuesOf = ({ root, ids }: Around, schemas: readonly Schema[], name: string | undefined): Proposal[] => {
  const found = new Map<string, Proposal>();
  const add = (value: unknown, detail?: string): void => {
    const json = JSON.stringify(value);
    if (found.has(json)) return;
    const caret = json === '[]' || json === '{}' ? 1 : json.length;
    const label = typeof value === 'string' ? value : json;
    if (label !== '') found.set(json, { label, ...(detail && { detail }), json, caret, opensNext: false });
  };
  for (const outer of schemas)
    for (const schema of alternativesOf(root, outer)) {
      if (schema.const !== undefined) add(schema.const);
      if (name !== 'id' && isBlockId(root, schema)) for (const id of ids) add(id);
      if (schema.default !== undefined) add(schema.default, words.defaultValue);
      for (const value of [...(schema.enum ?? []), ...(schema.examples ?? [])]) add(value);
      for (const value of ofType[schema.type ?? ''] ?? []) add(value);
    }
  return [...found.values()];
};

const ofType: Readonly<Record<string, readonly unknown[]>> = {
  boolean: [true, false],
  null: [null],
  array: [[]],
  object: [{}],
};

/** The schema says so by the pattern of `start`. */
const isBlockId = ({ properties }: Schema, { pattern }: Schema): boolean =>
  pattern !== undefined && pattern === properties?.['start']?.pattern;
