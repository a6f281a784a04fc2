import { useQueries } from '@tanstack/react-query';
import { api, type Schemas } from '../../../../api/client.ts';
import type { AnyDefinition } from '../../definition-text.ts';
import { fileFieldsOf } from './names.ts';

/** Files by their ids, as fields have them. */
export type SampledFiles = ReadonlyMap<string, Schemas['Media']>;

/** The most files that are read for samples. */
const mostFiles = 20;

/** Links hold for an hour at least. */
const staleTime = 45 * 60_000;

/** What a contact has sent for the answers of a draft that are files. */
export const useSampledFiles = (definition: AnyDefinition, contact: Schemas['Contact'] | undefined): SampledFiles => {
  const ids = fileFieldsOf(definition).flatMap((field) => {
    const value = contact?.custom_fields[field];
    return typeof value === 'string' && value.startsWith('med_') ? [value] : [];
  });
  const read = useQueries({
    queries: [...new Set(ids)]
      .slice(0, mostFiles)
      .map((id) => api.queryOptions('get', '/media/{id}', { params: { path: { id } } }, { staleTime, retry: false })),
  });
  return new Map(read.flatMap(({ data }) => (data ? [[data.id, data] as const] : [])));
};
