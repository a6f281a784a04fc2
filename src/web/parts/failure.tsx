import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { t as say } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ApiFailure } from '../api/failure.ts';

/** What went wrong, and what to do next, in words. */
const sayFailure = (error: unknown): { title: string; message: string } => {
  if (!(error instanceof ApiFailure)) return { title: say('failures:away'), message: say('failures:awayHint') };
  const { status, message, retryAfterSeconds, requestId } = error;
  if (status === 429)
    return {
      title: say('failures:tooMany'),
      message: say('failures:tooManyHint', { count: retryAfterSeconds ?? 60 }),
    };
  if (status >= 500)
    return {
      title: say('failures:ours'),
      message: say('failures:oursHint', { message, id: requestId ?? say('failures:noId') }),
    };
  if (status === 401) return { title: say('failures:signIn'), message };
  return { title: say('failures:refused'), message };
};

/** Tells of a failure beside the page, for an action that has no place of its own for it. */
export const showFailure = (error: unknown): void => {
  const { title, message } = sayFailure(error);
  notifications.show({ title, message, color: 'red', autoClose: 10_000 });
};

type Props = { error: unknown; retry?: (() => void) | undefined };

/** In the place of what could not be loaded or done. */
export const Failure = ({ error, retry }: Props) => {
  const { t } = useTranslation('failures');
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
          {t('usedByFlows')}
        </Text>
      )}
      {retry && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            {t('retry')}
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
