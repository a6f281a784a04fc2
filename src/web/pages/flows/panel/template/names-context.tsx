import { createContext, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { findPath } from '../../../../../shared/flows/blocks/scope.ts';
import { api } from '../../../../api/client.ts';
import { useList } from '../../../../parts/use-list.ts';
import { useBuilder } from '../../builder/builder-context.ts';
import { useFields } from '../use-fields.ts';
import { listNames, lookUpName, type NameChoice } from './names.ts';
import { findSample } from './samples.ts';
import { useSampledFiles } from './use-sampled-files.ts';

export type SampledName = NameChoice & { sample: string | undefined };

/** What placeholders of the open block may name. */
export type Names = {
  /** True for everything while the fields are not known. */
  isKnown: (path: string) => boolean;
  /** All names that may be chosen, without what is known of them. */
  all: () => readonly string[];
  /** The names to choose from; of credentials only where they may stand. */
  list: (options: { takesCredentials: boolean }) => SampledName[];
};

export const NamesContext = createContext<Names>({ isKnown: () => true, all: () => [], list: () => [] });

/** Knows the names for the placeholders of the block at this place of the list, or of none. */
export const TemplateNames = ({ index, children }: { index: number | undefined; children: ReactNode }) => {
  const { definition, contactId } = useBuilder();
  const fields = useFields();
  const { rows: credentials } = useList('/credentials', { limit: 200 });
  const { data: contact } = api.useQuery(
    'get',
    '/contacts/{id}',
    { params: { path: { id: contactId ?? '' } } },
    { enabled: contactId !== undefined, staleTime: 60_000 },
  );
  const files = useSampledFiles(definition, contact);
  // What is proposed follows the draft; a key in one text is nothing that the others have to hear.
  const latest = useRef({ definition, contact, files, index });
  useEffect(() => {
    latest.current = { definition, contact, files, index };
  });
  const names = useMemo((): Names => {
    const known = fields ?? new Map();
    const headers = (credentials ?? []).filter(({ type }) => type === 'header').map(({ name }) => `credential.${name}`);
    const all = (): readonly string[] => listNames(latest.current.definition, known);
    return {
      all,
      isKnown: (path) =>
        fields === undefined ||
        (path.startsWith('credential.')
          ? credentials === undefined || credentials.some(({ name }) => path === `credential.${name}`)
          : findPath(path, fields) !== undefined),
      list: ({ takesCredentials }) => {
        const { definition: now, contact: sampled, files: sent, index: at } = latest.current;
        return [
          ...all().map((name) => ({
            ...lookUpName(name, { definition: now, fields: known, index: at }),
            sample: findSample(name, { contact: sampled, fields: known, files: sent }),
          })),
          ...(takesCredentials ? headers : []).map((name) => ({
            name,
            type: undefined,
            set: 'always' as const,
            sample: undefined,
          })),
        ];
      },
    };
  }, [fields, credentials]);
  return <NamesContext value={names}>{children}</NamesContext>;
};
