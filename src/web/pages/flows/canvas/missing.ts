import type { BlockConfig } from '../../../../shared/flows/blocks/block.ts';
import { findBlock as findKind } from '../../../../shared/flows/blocks/index.ts';
import { usesOf } from '../../../../shared/flows/definition/uses.ts';
import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { foldTag } from '../../../../shared/tags/fold.ts';
import { client } from '../../../api/client.ts';
import { setFields } from '../edits/blocks.ts';
import type { Copied } from '../edits/copy.ts';

/** What pasted blocks need that the account does not have. */
export type Missing = { type: 'field' | 'tag' | 'credential' | 'flow'; name: string };

/** What the account has: keys, folded names and names; flows by their ids. */
export type Account = {
  field: ReadonlySet<string>;
  tag: ReadonlySet<string>;
  credential: ReadonlySet<string>;
  flows: ReadonlyMap<string, string>;
};

/** The most pages of a list that are read: of 200 rows each. */
const mostPages = 10;

type Page<Row> = { data?: { data: Row[]; next_cursor: string | null } | undefined };

const readAll = async <Row>(
  read: (query: { limit: number; cursor?: string }) => Promise<Page<Row>>,
): Promise<Row[]> => {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let count = 0; count < mostPages; count += 1) {
    const { data } = await read({ limit: 200, ...(cursor !== null && { cursor }) });
    rows.push(...(data?.data ?? []));
    cursor = data?.next_cursor ?? null;
    if (cursor === null) break;
  }
  return rows;
};

/** Reads what the account has of what blocks may need. */
export const readAccount = async (): Promise<Account> => {
  const [fields, tags, credentials, flows] = await Promise.all([
    readAll((query) => client.GET('/custom-fields', { params: { query } })),
    readAll((query) => client.GET('/tags', { params: { query } })),
    readAll((query) => client.GET('/credentials', { params: { query } })),
    readAll((query) => client.GET('/flows', { params: { query } })),
  ]);
  return {
    field: new Set(fields.map(({ key }) => key)),
    tag: new Set(tags.map(({ name }) => foldTag(name))),
    credential: new Set(credentials.map(({ name }) => name)),
    flows: new Map(flows.map(({ id, name }) => [id, name])),
  };
};

/** Blocks whose `start_flow` names a flow of this account: the same, else the only one of its name. */
export const withFlows = (copied: Copied, { flows }: Account): Copied => ({
  ...copied,
  blocks: copied.blocks.map((block) => {
    const { flow_id: id } = block;
    if (typeof id !== 'string' || id === '' || flows.has(id)) return block;
    const name = Object.hasOwn(copied.flows, id) ? copied.flows[id] : undefined;
    const [found, ...others] = [...flows].filter(([, other]) => other === name);
    return found && others.length === 0 ? setFields(block, { flow_id: found[0] }) : block;
  }),
});

/** What these blocks need and the account does not have, as far as they can be read. */
export const findMissing = ({ blocks, flows }: Copied, account: Account): Missing[] => {
  const needs = usesOf({ blocks: blocks.flatMap(parse), triggers: [] }).flatMap((use): Missing[] => {
    const at = use.indexOf(':');
    const [type, name] = [use.slice(0, at), use.slice(at + 1)];
    if (type !== 'field' && type !== 'tag' && type !== 'credential') return [];
    return account[type].has(name) ? [] : [{ type, name }];
  });
  const started = new Set(blocks.flatMap(({ flow_id: id }) => (typeof id === 'string' && id !== '' ? [id] : [])));
  const lost = [...started].filter((id) => !account.flows.has(id));
  return [
    ...needs,
    ...lost.map((id): Missing => ({ type: 'flow', name: (Object.hasOwn(flows, id) ? flows[id] : undefined) ?? id })),
  ];
};

const parse = (block: RawBlock): BlockConfig[] => {
  const { type } = block;
  if (typeof type !== 'string' || type === 'start_flow') return [];
  const parsed = findKind(type)?.schema.safeParse(block);
  return parsed?.success ? [parsed.data] : [];
};
