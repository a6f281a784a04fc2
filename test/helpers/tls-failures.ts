import { generateKeyPairSync } from 'node:crypto';
import type { FailureDetail } from '../../src/shared/platform/egress/failure-details.ts';
import type { ReceiverOptions } from './receiver.ts';
import { createCa, testCa } from './tls.ts';

/** What OpenSSL refuses to servers, too, unless it is asked. */
const anything = 'DEFAULT@SECLEVEL=0';
const clientCertificate = { requestCert: true, rejectUnauthorized: true, ca: testCa().certPem };
const rsaOf = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });

/** Receivers to which no TLS connection is made: what is wrong, its name, and some of its words. */
export const tlsFailures: [what: string, detail: FailureDetail, options: ReceiverOptions, words: string][] = [
  ['a self-signed certificate', 'self_signed', { selfSigned: true }, 'a self-signed certificate'],
  ['an unknown authority', 'unknown_authority', { ca: createCa('nobody knows') }, 'intermediate certificate'],
  [
    'a certificate for another name',
    'wrong_name',
    { certificateFor: ['other.test'] },
    'for another name than the host',
  ],
  ['an expired certificate', 'expired', { certificateUntil: new Date(Date.now() - 60_000) }, 'an expired certificate'],
  ['a certificate of tomorrow', 'not_yet_valid', { certificateFrom: new Date(Date.now() + 3_600_000) }, 'two clocks'],
  ['a key of 1,024 bits', 'weak_key', { keys: rsaOf(1_024), tls: { ciphers: anything } }, 'too weak'],
  [
    'a key of 512 bits',
    'weak_key',
    { keys: rsaOf(512), tls: { ciphers: anything, maxVersion: 'TLSv1.2' } },
    'too weak',
  ],
  ['TLS 1.1 only', 'old_tls', { tls: { ciphers: anything, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' } }, 'TLS 1.2'],
  [
    'no common cipher of TLS 1.2',
    'no_common_cipher',
    { tls: { ciphers: 'ECDHE-ECDSA-CAMELLIA128-SHA256', maxVersion: 'TLSv1.2' } },
    'none of the TLS ciphers',
  ],
  [
    'no common cipher of TLS 1.3',
    'no_common_cipher',
    { tls: { ciphers: 'TLS_AES_128_CCM_8_SHA256', minVersion: 'TLSv1.3' } },
    'none of the TLS ciphers',
  ],
  [
    'a client certificate, by TLS 1.2',
    'client_certificate',
    { tls: { ...clientCertificate, maxVersion: 'TLSv1.2' } },
    'asks for a client certificate',
  ],
  [
    'a client certificate, by TLS 1.3',
    'client_certificate',
    { tls: clientCertificate },
    'asks for a client certificate',
  ],
  ['HTTP/2 only', 'http_2_only', { tls: { ALPNProtocols: ['h2'] } }, 'accepts only HTTP/2'],
  ['plain http where the url says https', 'not_tls', { plain: true }, 'probably plain HTTP'],
];
