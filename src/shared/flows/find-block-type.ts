import type { Sql } from '../platform/db/connect.ts';

/** The type of a block in a version of a flow. Undefined where the version is not there or has no such block. The id is a UUID. */
export const findBlockType = async (
  sql: Sql,
  { flowId, version, blockId }: { flowId: string; version: number; blockId: string | null },
): Promise<string | undefined> => {
  const [row] = await sql<{ type: string }[]>`
    select block ->> 'type' as type from flow_versions v, jsonb_array_elements(v.definition -> 'blocks') as block
    where v.flow_id = ${flowId} and v.version = ${version} and block ->> 'id' = ${blockId} limit 1`;
  return row?.type;
};
