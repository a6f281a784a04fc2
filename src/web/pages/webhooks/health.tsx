import { Group, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Section } from '../../parts/section.tsx';
import { SparkBars } from '../../parts/sparkline.tsx';
import { words } from './words.ts';

type Health = Schemas['WebhookHealth'];

const barsOf = ({ hours }: Health) => hours.map(({ succeeded, failed }) => ({ good: succeeded, bad: failed }));

/** How a day went, in a row of a list. */
export const HealthCell = ({ health }: { health: Health }) => {
  if (health.success_rate === null)
    return (
      <Text size="sm" c="dimmed" span>
        {words.quiet}
      </Text>
    );
  return (
    <div className="health">
      <span>{words.rate(health.success_rate)}</span>
      <SparkBars bars={barsOf(health)} />
    </div>
  );
};

/** How a day went, on the page of a webhook. */
export const HealthSection = ({ health }: { health: Health }) => {
  const made = health.hours.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  const failed = health.hours.reduce((sum, hour) => sum + hour.failed, 0);
  return (
    <Section title={words.ofLastDay}>
      {health.success_rate === null ? (
        <Text size="sm" c="dimmed">
          {words.quiet}
        </Text>
      ) : (
        <div className="health health-wide">
          <Group gap="xs" align="baseline">
            <Text fz={26} lh={1.2} fw={650}>
              {words.rate(health.success_rate)}
            </Text>
            <Text size="sm" c="dimmed">
              {words.succeeded}
            </Text>
          </Group>
          <SparkBars bars={barsOf(health)} />
          <Text size="sm" c="dimmed">
            {words.attemptsOf({ made, failed })}
          </Text>
        </div>
      )}
    </Section>
  );
};
