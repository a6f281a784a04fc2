import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link, useRouteError } from 'react-router';
import { Page } from '../parts/page.tsx';
import { failureWords } from '../words/failures.ts';
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

/** For a page that broke. Everything that was saved is saved. */
export const BrokenPage = () => {
  const error = useRouteError();
  const [isAway, setAway] = useState(false);
  const reload = async (): Promise<void> => setAway(!(await reloadIfAnswered()));
  return (
    <Page title={words.broken} actions={<Button onClick={() => void reload()}>{words.reload}</Button>}>
      {isAway ? (
        <Text role="alert">
          {failureWords.away}. {failureWords.awayHint}
        </Text>
      ) : (
        error instanceof Error && <Text c="dimmed">{error.message}</Text>
      )}
    </Page>
  );
};
