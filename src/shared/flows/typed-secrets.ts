import { hiddenPart, maskUrlTemplate } from '../platform/mask-url.ts';
import { isTypedSecret } from './blocks/check-request.ts';
import { isObject, mapBlocks, type RawBlock } from './raw-blocks.ts';
import type { DraftDefinition } from './schema.ts';

/** Where a request has values by name. */
const tables = ['headers', 'query', 'form'] as const;

/** What stands in the place of a secret, if anything, and whether every value of a header counts as one. */
export type HowToHide = { instead?: string; hidesHeaders: boolean };

/**
 * A block, finished or not, without what looks like a typed secret: such headers, parameters and fields of a form have `instead`, or are left out
 * where it is undefined, and the url is masked as that of a webhook. `paths` says where something was.
 */
export const withoutTypedSecrets = (
  block: RawBlock,
  { instead, hidesHeaders }: HowToHide,
): { block: RawBlock; paths: string[] } => {
  const paths: string[] = [];
  const isSecret = (table: string, name: string, value: unknown): boolean =>
    (hidesHeaders && table === 'headers') ||
    isTypedSecret(name, typeof value === 'string' ? value : JSON.stringify(value));
  const replaceIn = (table: string, entries: RawBlock): RawBlock => {
    const kept = Object.entries(entries).flatMap(([name, value]) => {
      if (!isSecret(table, name, value)) return [[name, value]];
      paths.push(`${table}.${name}`);
      return instead === undefined ? [] : [[name, instead]];
    });
    return Object.fromEntries(kept);
  };
  const changed = tables.flatMap((table): [string, unknown][] => {
    const entries = block[table];
    if (entries === undefined) return [];
    if (isObject(entries)) return [[table, replaceIn(table, entries)]];
    // A draft may have anything there.
    paths.push(table);
    return [[table, instead]];
  });
  const url = maskUrl(block['url']);
  if (url !== block['url']) paths.push('url');
  return { block: { ...block, ...Object.fromEntries(changed), ...(url !== undefined && { url }) }, paths };
};

const maskUrl = (url: unknown): unknown => {
  if (url === undefined || url === '') return url;
  return typeof url === 'string' ? maskUrlTemplate(url) : hiddenPart;
};

/** A definition for agents: secrets that were typed into requests are hidden, but those in bodies, and so is every value of a header. */
export const hideTypedSecrets = (definition: DraftDefinition): DraftDefinition =>
  mapBlocks(definition, (block) => withoutTypedSecrets(block, { instead: '(hidden)', hidesHeaders: true }).block);
