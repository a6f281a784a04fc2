import { Button, Code, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { startPayload } from '../../../../../shared/flows/start-link.ts';
import { useFocusBack } from '../../../../parts/use-focus-back.ts';
import { drawCode, pngLinkOf, svgOf } from './draw-code.ts';
import { urlOfLink, type SharedLink } from './shared-link.ts';
import { words } from './words.ts';

type Props = { link: SharedLink; close: () => void };

/** The QR code of a link to the chat, to show and to download. A payload that may be another one can be typed here. */
export const LinkCode = ({ link, close }: Props) => {
  useFocusBack();
  const { name, match } = link;
  const [payload, setPayload] = useState(link.payload);
  const isRight = startPayload.test(payload) && (match !== 'prefix' || payload.startsWith(link.payload));
  return (
    <Modal opened onClose={close} title={words.codeOf(name)}>
      <Stack gap="sm">
        {match !== 'exact' && (
          <TextInput
            label={words.codePayload}
            description={words.codePayloadHint}
            value={payload}
            maxLength={64}
            autoComplete="off"
            error={!isRight && (match === 'prefix' ? words.wrongEnding(link.payload) : words.wrongPayload)}
            onChange={({ currentTarget }) => setPayload(currentTarget.value)}
          />
        )}
        {isRight && <Drawn link={{ ...link, payload }} />}
      </Stack>
    </Modal>
  );
};

const Drawn = ({ link }: { link: SharedLink }) => {
  const url = urlOfLink(link);
  const { code, svg, png } = useMemo(() => {
    const drawn = drawCode(url);
    return { code: drawn, svg: `data:image/svg+xml,${encodeURIComponent(svgOf(drawn))}`, png: pngLinkOf(drawn) };
  }, [url]);
  const file = `${link.bot}-${link.payload}`;
  return (
    <>
      <svg
        role="img"
        aria-label={words.codeFor(url)}
        viewBox={`0 0 ${code.size} ${code.size}`}
        shapeRendering="crispEdges"
        // Cameras need it dark on light, in a dark scheme, too.
        style={{ background: '#fff', width: 'min(100%, 20rem)', alignSelf: 'center', borderRadius: 6 }}
      >
        <path d={code.path} fill="#000" />
      </svg>
      <Code ta="center" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {url}
      </Code>
      <Group gap="xs" justify="center">
        <Button component="a" variant="default" href={svg} download={`${file}.svg`}>
          {words.downloadSvg}
        </Button>
        {png !== undefined && (
          <Button component="a" variant="default" href={png} download={`${file}.png`}>
            {words.downloadPng}
          </Button>
        )}
      </Group>
    </>
  );
};
