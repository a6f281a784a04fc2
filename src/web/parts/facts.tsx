import { Box, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

type Props = {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Whether a narrow screen shows each value below its name, for facts that stand deep within others. */
  stacks?: boolean;
};

/** Names and values, as of one thing. What is null or undefined is left out. */
export const Facts = ({ facts, stacks = false }: Props) => (
  <Box component="dl" m={0} className={stacks ? 'facts facts-stacked' : 'facts'}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => (
        <Fragment key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </Fragment>
      ))}
  </Box>
);
