import { Anchor, Button, Skeleton, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link, useRouteError } from 'react-router';
import { isAnswering, noteSilence, whenThere } from '../api/connection.ts';
import { Page } from '../parts/page.tsx';
import { reloadIfAnswered } from './reload-once.ts';
import { words } from './words.ts';

/** For a path that has no page. */
export const NoPage = () => (
  <Page title={words.noPage}>
    <Anchor component={Link} to="/">
      {words.toOverview}
    </Anchor>
  </Page>
);

/**
 * For a page that could not be shown. Where nobody answers, its code did not come: it says so, and is loaded again as soon as somebody does. Everything
 * that was saved is saved.
 */
export const BrokenPage = () => {
  const error = useRouteError();
  const [isThere, setThere] = useState<boolean>();
  useEffect(() => {
    const ask = async (): Promise<void> => {
      const answers = await isAnswering();
      if (!answers) noteSilence();
      setThere(answers);
    };
    void ask();
  }, []);
  useEffect(() => (isThere === false ? whenThere(() => location.reload()) : undefined), [isThere]);
  if (isThere === undefined)
    return (
      <Page title={words.loading}>
        <Skeleton height={320} />
      </Page>
    );
  const reload = (
    <Button onClick={() => void reloadIfAnswered()} variant={isThere ? 'filled' : 'default'}>
      {words.reload}
    </Button>
  );
  if (!isThere)
    return (
      <Page title={words.notReached} actions={reload}>
        <Text c="dimmed">{words.notReachedText}</Text>
      </Page>
    );
  return (
    <Page title={words.broken} actions={reload}>
      {error instanceof Error && <Text c="dimmed">{error.message}</Text>}
    </Page>
  );
};
