import { Alert, Anchor, Button, Group, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiFailure } from '../../../api/failure.ts';
import { Failure } from '../../../parts/failure.tsx';
import { failureWords } from '../../../words/failures.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { titleOf } from './say.ts';
import { words } from './words.ts';

/** The most that are shown. */
const mostShown = 8;

/** Why the conversation could not be played: problems of the flow lead to their blocks. */
export const Problems = ({ failure, retry }: { failure: unknown; retry: () => void }) => {
  const { definition, open } = useBuilder();
  const details = failure instanceof ApiFailure && failure.status === 422 ? failure.details : [];
  const errors = details.filter(({ severity }) => severity !== 'warning');
  if (errors.length === 0) return <Failure error={failure} retry={retry} />;
  const isOfFlow = errors.some(({ severity }) => severity !== undefined);
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      mb="sm"
      title={isOfFlow ? words.cannotPlay : words.wrongSetup}
      icon={<IconAlertTriangle aria-hidden />}
    >
      {isOfFlow && <Text size="sm">{words.cannotPlayHint(errors.length)}</Text>}
      <List size="sm" spacing={4} mt={4}>
        {errors.slice(0, mostShown).map(({ block_id: blockId, path, message }) => (
          <List.Item key={`${path} ${message}`} style={{ overflowWrap: 'anywhere' }}>
            {blockId ? (
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="start"
                onClick={() => open(blockId, path.replace(/^blocks\.\d+\.?/, ''))}
              >
                {titleOf(definition, blockId)}
              </Anchor>
            ) : (
              <b>{path}</b>
            )}{' '}
            {message}
          </List.Item>
        ))}
      </List>
      {!isOfFlow && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={retry}>
            {failureWords.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
};
