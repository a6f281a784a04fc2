import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../../api/client.ts';
import { showDefinition } from '../definition-text.ts';
import type { Draft } from '../draft/use-draft.ts';
import type { Issue } from './issue-list.tsx';

/** How long nothing is typed before it is checked, in ms. */
const pauseMs = 500;

/** What is wrong with what is being written, as the API finds it; of a text that is no JSON what was wrong before. */
export const useIssues = (id: string, { stored, definition, isChanged }: Draft): readonly Issue[] => {
  const [checked] = useDebouncedValue(definition, pauseMs);
  const isStill = checked === definition;
  const text = useMemo(() => showDefinition(checked), [checked]);
  const { data } = useQuery({
    queryKey: ['post', '/flows/{id}/validate', { id, text }],
    queryFn: async ({ signal }) => {
      const body = { definition: checked };
      const { data: found } = await client.POST('/flows/{id}/validate', { params: { path: { id } }, body, signal });
      return found ?? null;
    },
    enabled: isChanged && isStill,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  return (isChanged ? data?.issues : undefined) ?? stored.issues;
};
