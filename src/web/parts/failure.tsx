import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { ApiFailure } from '../api/failure.ts';
import { failureWords } from '../words/failures.ts';

/** What went wrong, and what to do next, in words. */
const sayFailure = (error: unknown): { title: string | undefined; message: string } => {
  if (!(error instanceof ApiFailure)) return { title: failureWords.away, message: failureWords.awayHint };
  const { status, message, retryAfterSeconds, requestId } = error;
  if (status === 429)
    return {
      title: failureWords.tooMany,
      message: failureWords.tooManyHint(retryAfterSeconds ?? 60),
    };
  if (status >= 500)
    return {
      title: failureWords.ours,
      message: failureWords.oursHint({ message, id: requestId ?? failureWords.noId }),
    };
  // Signing in and being signed out are told by the message alone.
  if (status === 401) return { title: undefined, message };
  return { title: failureWords.refused, message };
};

/** The same as one text, where there is no room for a title. */
export const sayFailureOf = (error: unknown): string => sayFailure(error).message;

/** Tells of a failure beside the page, for an action that has no place of its own for it. */
export const showFailure = (error: unknown): void => {
  const { title, message } = sayFailure(error);
  notifications.show({ title, message, color: 'red', autoClose: 10_000 });
};

type Props = { error: unknown; retry?: (() => void) | undefined };

/** In the place of what could not be loaded or done. */
export const Failure = ({ error, retry }: Props) => {
  const { title, message } = sayFailure(error);
  const details = error instanceof ApiFailure ? error.details : [];
  return (
    <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle aria-hidden />} role="alert">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {message}
      </Text>
      {details.length > 0 && (
        <List size="sm" mt="xs">
          {details.map((problem) => (
            <List.Item key={`${problem.path} ${problem.message}`}>
              <Detail {...problem} />
            </List.Item>
          ))}
        </List>
      )}
      {details.some(({ path }) => isFlow(path)) && (
        <Text size="sm" mt="xs">
          {failureWords.usedByFlows}
        </Text>
      )}
      {retry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            {failureWords.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
};

/** Whether a problem is a flow that needs what was to be taken away: its path is then the flow's id. */
const isFlow = (path: string): boolean => /^flow_[0-9a-z]{26}$/.test(path);

const Detail = ({ path, message }: { path: string; message: string }) =>
  isFlow(path) ? (
    // It may be told by a dialog that stands over every page.
    <Anchor
      component={Link}
      to={`/flows/${path}`}
      size="sm"
      c="inherit"
      underline="always"
      onClick={() => modals.closeAll()}
    >
      {message}
    </Anchor>
  ) : (
    <>
      {path && <Code>{path}</Code>} {message}
    </>
  );
