import { Accordion, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Time } from '../../parts/time.tsx';

/** The numbers of the charts, for who does not see them. */
export const PointsTable = ({ statistics: { points } }: { statistics: Schemas['Statistics'] }) => {
  const { t } = useTranslation('overview');
  return (
    <Accordion variant="contained">
      <Accordion.Item value="table">
        <Accordion.Control>{t('asTable')}</Accordion.Control>
        <Accordion.Panel>
          <Table.ScrollContainer minWidth={760} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
            <Table aria-label={t('statistics')}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('at')}</Table.Th>
                  <Table.Th ta="right">{t('events')}</Table.Th>
                  <Table.Th ta="right">{t('delivered')}</Table.Th>
                  <Table.Th ta="right">{t('failedOrDropped')}</Table.Th>
                  <Table.Th ta="right">{t('failedAttempts')}</Table.Th>
                  <Table.Th ta="right">{t('latency')}</Table.Th>
                  <Table.Th ta="right">{t('latency95')}</Table.Th>
                  <Table.Th ta="right">{t('latency99')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {points.map(({ at, events, deliveries, attempts, latency_ms }) => (
                  <Table.Tr key={at}>
                    <Table.Td>
                      <Time at={at} />
                    </Table.Td>
                    <Table.Td ta="right">{events}</Table.Td>
                    <Table.Td ta="right">{deliveries.delivered}</Table.Td>
                    <Table.Td ta="right">{deliveries.failed + deliveries.dropped}</Table.Td>
                    <Table.Td ta="right">{attempts.failed}</Table.Td>
                    {(['p50', 'p95', 'p99'] as const).map((part) => (
                      <Table.Td key={part} ta="right">
                        {latency_ms ? t('ms', { ms: latency_ms[part] }) : '–'}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
};
