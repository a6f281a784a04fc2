import { Anchor, Text, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client.ts';
import { Status } from '../../parts/status.tsx';
import { useMayOpen } from '../../parts/use-may-open.ts';
import { mattersOf, tones } from './matters.tsx';
import { words } from './words.ts';

/** What somebody should look at, the gravest first; each leads to where it is repaired, and some are repaired here. */
export const Attention = ({ overview }: { overview: Schemas['Overview'] }) => {
  const mayOpen = useMayOpen();
  const matters = mattersOf(overview);
  return (
    <>
      <Title order={2} size="h4" mb="xs">
        {words.attention}
      </Title>
      {matters.length === 0 && (
        <div className="matter">
          <IconCircleCheck size={22} color="var(--hue-one)" aria-hidden />
          <div className="matter-words">
            <Text>{words.allWell}</Text>
            <Text c="dimmed" size="sm">
              {words.allWellHint}
            </Text>
          </div>
        </div>
      )}
      {matters.length > 0 && (
        <ul className="matters">
          {matters.map(({ key, severity, to, words: told, more, action }) => (
            <li key={key} className="matter">
              <Status tone={tones[severity]}>{words.severities[severity]}</Status>
              <div className="matter-words">
                {to !== undefined && mayOpen(to) ? (
                  <Anchor component={Link} to={to}>
                    {told}
                  </Anchor>
                ) : (
                  told
                )}
                {more && (
                  <Text size="sm" c="dimmed" component="div">
                    {more}
                  </Text>
                )}
              </div>
              {action}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};
