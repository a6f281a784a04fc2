import { hiddenPart, maskUrlTemplate } from '../webhooks/mask-url.ts';
import { isTypedSecret } from './blocks/check-request.ts';
import { isObject, mapBlocks, type RawBlock } from './raw-blocks.ts';
import type { DraftDefinition } from './schema.ts';

/** Where a request has values by name. */
const tables = ['headers', 'query', 'form'] as const;

/**
 * A block, finished or not, without what looks like a typed secret: such headers, parameters and fields of a form have `instead`, or are left out
 * where it is undefined, and the url is masked as that of a webhook. `paths` says where something was.
 */
export const withoutTypedSecrets = (
  block: RawBlock,
  instead: string | undefined,
): { block: RawBlock; paths: string[] } => {
  const paths: string[] = [];
  const replaceIn = (table: string, entries: RawBlock): RawBlock => {
    const kept = Object.entries(entries).flatMap(([name, value]) => {
      if (!isTypedSecret(name, typeof value === 'string' ? value : JSON.stringify(value))) return [[name, value]];
      paths.push(`${table}.${name}`);
      return instead === undefined ? [] : [[name, instead]];
    });
    return Object.fromEntries(kept);
  };
  const changed = tables.flatMap((table) => {
    const entries = block[table];
    return isObject(entries) ? [[table, replaceIn(table, entries)] as const] : [];
  });
  const url = maskUrl(block['url']);
  if (url !== block['url']) paths.push('url');
  return { block: { ...block, ...Object.fromEntries(changed), ...(url !== undefined && { url }) }, paths };
};

const maskUrl = (url: unknown): unknown => {
  if (url === undefined || url === '') return url;
  return typeof url === 'string' ? maskUrlTemplate(url) : hiddenPart;
};

/** A definition for those who read flows and may not change them: secrets that were typed into requests are hidden, but those in bodies. */
export const hideTypedSecrets = (definition: DraftDefinition): DraftDefinition =>
  mapBlocks(definition, (block) => withoutTypedSecrets(block, '(hidden)').block);
