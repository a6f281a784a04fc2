import type { Sql } from '../../platform/db/connect.ts';
import { isExternalRequest } from '../../flows/blocks/external-request.ts';
import type { ExternalRequest } from '../../flows/blocks/request-schema.ts';
import { parseDefinition } from '../../flows/definition/definition.ts';
import { planOf, type BlockVersions, type Plan } from '../../flows/definition/plan.ts';
import { originOf } from '../../flows/templating/url-faults.ts';

/** A version of a flow; the id is a UUID. */
export type VersionKey = { flowId: string; version: number };

/** A version as the engine walks it, with what it refers to. */
export type FlowVersion = {
  plan: Plan;
  /** The custom fields that it reads or writes. */
  fieldKeys: readonly string[];
  /** The flows that its start_flow blocks name; UUIDs. */
  flowIds: readonly string[];
  /** The request of an external_request: the origin whose places it takes, and how long one attempt may be. */
  requestOf: (blockId: string) => { config: ExternalRequest; origin: string; timeoutMs: number };
};

/** The most versions that a process keeps; the one that was used longest ago goes. A version never changes. */
const keptVersions = 200;

/** Reads a version, from what the process has kept or from the database. Throws for one that is not there. */
export type ReadVersion = (sql: Sql, key: VersionKey) => Promise<FlowVersion>;

/** Reads versions once, and keeps them. */
export const createVersions = (): ReadVersion => {
  const kept = new Map<string, FlowVersion>();
  return async (sql, key) => {
    const name = `${key.flowId}/${key.version}`;
    const version = kept.get(name) ?? (await read(sql, key));
    kept.delete(name);
    kept.set(name, version);
    const [oldest] = kept.keys();
    if (kept.size > keptVersions && oldest !== undefined) kept.delete(oldest);
    return version;
  };
};

const read: ReadVersion = async (sql, { flowId, version }) => {
  const [row] = await sql<{ definition: unknown; uses: string[]; blockVersions: BlockVersions }[]>`
    select definition, uses, block_versions from flow_versions where flow_id = ${flowId} and version = ${version}`;
  if (!row) throw new Error(`version ${version} of flow ${flowId} is not there`);
  const plan = planOf(parseDefinition(row.definition), row.blockVersions);
  const usesOf = (kind: string): string[] =>
    row.uses.flatMap((use) => (use.startsWith(`${kind}:`) ? [use.slice(kind.length + 1)] : []));
  return {
    plan,
    fieldKeys: usesOf('field'),
    flowIds: usesOf('flow'),
    requestOf: (blockId) => {
      const { config } = plan.get(blockId);
      if (!isExternalRequest(config)) throw new TypeError(`block ${blockId} makes no request`);
      return { config, origin: new URL(originOf(config.url) ?? '').origin, timeoutMs: config.timeout_ms };
    },
  };
};
