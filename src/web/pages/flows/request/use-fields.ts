import { useEffect, useMemo } from 'react';
import { isProfileField, type FieldType } from '../../../../shared/custom-fields/values.ts';
import type { Schemas } from '../../../api/client.ts';
import { useList } from '../../../parts/use-list.ts';

/** The fields that a flow can write. */
export type Fields = {
  custom: readonly Schemas['CustomField'][];
  /** The type of a field; undefined for one that is not there. */
  typeOf: (key: string) => FieldType | undefined;
  /** Whether all of them have been read. */
  areKnown: boolean;
};

/** Those that every contact has beside all custom fields of the account, which are up to 500. */
export const useFields = (): Fields => {
  const { rows, more, isLoadingMore } = useList('/custom-fields', { limit: 200 });
  useEffect(() => {
    if (more && !isLoadingMore) more();
  }, [more, isLoadingMore]);
  const areKnown = rows !== undefined && !more;
  return useMemo(() => {
    const custom = rows ?? [];
    const types = new Map(custom.map(({ key, type }) => [key, type]));
    return { custom, typeOf: (key) => (isProfileField(key) ? 'text' : types.get(key)), areKnown };
  }, [rows, areKnown]);
};
