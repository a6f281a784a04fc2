import { Table } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Time } from '../../parts/time.tsx';
import { words } from './words.ts';

/** The numbers of the charts, for who does not see them. */
export const PointsTable = ({ statistics: { points } }: { statistics: Schemas['Statistics'] }) => (
  <Table.ScrollContainer minWidth={980} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
    <Table aria-label={words.statistics}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{words.at}</Table.Th>
          <Table.Th ta="right">{words.received}</Table.Th>
          <Table.Th ta="right">{words.sent}</Table.Th>
          <Table.Th ta="right">{words.newContacts}</Table.Th>
          <Table.Th ta="right">{words.events}</Table.Th>
          <Table.Th ta="right">{words.delivered}</Table.Th>
          <Table.Th ta="right">{words.failedOrDropped}</Table.Th>
          <Table.Th ta="right">{words.failedAttempts}</Table.Th>
          <Table.Th ta="right">{words.latency}</Table.Th>
          <Table.Th ta="right">{words.latency95}</Table.Th>
          <Table.Th ta="right">{words.latency99}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {points.map(({ at, activity, events, deliveries, attempts, latency_ms }) => (
          <Table.Tr key={at}>
            <Table.Td>
              <Time at={at} />
            </Table.Td>
            <Table.Td ta="right">{activity?.messages.received}</Table.Td>
            <Table.Td ta="right">{activity?.messages.sent}</Table.Td>
            <Table.Td ta="right">{activity?.new_contacts}</Table.Td>
            <Table.Td ta="right">{events}</Table.Td>
            <Table.Td ta="right">{deliveries.delivered}</Table.Td>
            <Table.Td ta="right">{deliveries.failed + deliveries.dropped}</Table.Td>
            <Table.Td ta="right">{attempts.failed}</Table.Td>
            {(['p50', 'p95', 'p99'] as const).map((part) => (
              <Table.Td key={part} ta="right">
                {latency_ms ? words.ms(latency_ms[part]) : '–'}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
