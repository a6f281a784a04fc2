import { isObject, mapBlocks } from './raw-blocks.ts';
import type { DraftDefinition } from './schema.ts';
import { withoutTypedSecrets } from './typed-secrets.ts';

/** The most characters of a path, and the most paths, that a file names. */
export const fileLimits = { path: 300, leftOut: 10_000 } as const;

/**
 * A definition that means the same elsewhere: `start_flow` names its flow by `flow`, and what looks like a typed secret is left out, or masked in
 * urls; with `hidesHeaders` so is every header. An id of a flow that is not in `names` is left out, too.
 */
export const toPortable = (
  definition: DraftDefinition,
  { names, hidesHeaders }: { names: ReadonlyMap<string, string>; hidesHeaders: boolean },
): { definition: DraftDefinition; leftOut: string[] } => {
  const leftOut: string[] = [];
  const portable = mapBlocks(definition, ({ flow_id: flowId, ...given }, index) => {
    const { block, paths } = withoutTypedSecrets(given, { hidesHeaders });
    leftOut.push(...paths.map((path) => `blocks.${index}.${path}`.slice(0, fileLimits.path)));
    return { ...block, ...(typeof flowId === 'string' && names.has(flowId) && { flow: names.get(flowId) }) };
  });
  return { definition: portable, leftOut: leftOut.slice(0, fileLimits.leftOut) };
};

/** What was left out at such a path: a header, a parameter, a field of a form, or parts of a url. */
export const leftOutTypeOf = (path: string): 'header' | 'query' | 'form' | 'url' => {
  const [, , place] = path.split('.', 3);
  return place === 'query' || place === 'form' || place === 'url' ? place : 'header';
};

/** The names of flows that a portable definition starts. */
export const flowsNamedIn = ({ blocks }: DraftDefinition): string[] => {
  const named = (Array.isArray(blocks) ? blocks : []).map((block: unknown) =>
    isObject(block) ? block['flow'] : undefined,
  );
  return [...new Set(named.filter((name) => typeof name === 'string'))];
};

/** A portable definition as it is stored here. A flow that is not in `ids` is left out: what is missing is an issue of the draft. */
export const fromPortable = (definition: DraftDefinition, ids: ReadonlyMap<string, string>): DraftDefinition =>
  mapBlocks(definition, ({ flow, ...block }) => ({
    ...block,
    ...(typeof flow === 'string' && ids.has(flow) && { flow_id: ids.get(flow) }),
  }));
