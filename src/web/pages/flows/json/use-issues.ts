import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import type { DraftEdit } from '../use-draft.ts';
import type { Issue } from './issue-list.tsx';

/** How long nothing is typed before it is checked, in ms. */
const pauseMs = 500;

/** What is wrong with what is being written, as the API finds it; of a text that is no JSON what was wrong before. */
export const useIssues = (id: string, { stored, text, read, isChanged }: DraftEdit): readonly Issue[] => {
  const [checkedText] = useDebouncedValue(text, pauseMs);
  const isStill = checkedText === text;
  const { data } = useQuery({
    queryKey: ['post', '/flows/{id}/validate', { id, text: checkedText }],
    queryFn: async ({ signal }) => {
      if ('problem' in read) return null;
      const body = { definition: read.definition };
      const { data: checked } = await client.POST('/flows/{id}/validate', { params: { path: { id } }, body, signal });
      return checked ?? null;
    },
    enabled: isChanged && isStill && 'definition' in read,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  return (isChanged ? data?.issues : undefined) ?? stored.issues;
};
