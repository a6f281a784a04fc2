import { Skeleton } from '@mantine/core';
import { Failure } from './failure.tsx';
import { Page, type PageProps } from './page.tsx';

type Props = Pick<PageProps, 'title' | 'above' | 'fill' | 'isCompact'> & { error: unknown; retry: () => void };

/** The page of one thing that is still being loaded, or could not be. */
export const LoadingPage = ({ error, retry, ...page }: Props) => (
  <Page {...page}>{error ? <Failure error={error} retry={retry} /> : <Skeleton height={320} className="fill" />}</Page>
);
