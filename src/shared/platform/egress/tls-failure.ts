import { codeOf } from '../error-code.ts';
import { type FailureDetail, sayFailure } from './failure-details.ts';

/** `cipherChosen`: both sides had agreed on a cipher. A server that then refuses the handshake misses a client certificate. */
type Progress = { cipherChosen: boolean };

/** What a failure of TLS tells of the server, by name and in words. No error: the connection was closed before TLS was set up. */
export function readTlsFailure(
  error: Error | undefined,
  progress: Progress,
): { detail: FailureDetail; message: string } {
  const detail = findDetail(error, progress);
  const words = sayFailure(detail);
  const isVague = detail === 'handshake_failed' || detail === 'bad_certificate';
  return { detail, message: isVague ? `${words} (${reasonOf(error)})` : words };
}

/** OpenSSL's words without the place in its sources. */
const reasonOf = (error: Error | undefined): string =>
  error && 'reason' in error ? String(error.reason) : (error?.message ?? 'closed');

function findDetail(error: Error | undefined, { cipherChosen }: Progress): FailureDetail {
  const code = codeOf(error) ?? '';
  const [, alert] = /SSL alert number (\d+)/.exec(error?.message ?? '') ?? [];
  if (alert === handshakeFailure) return cipherChosen ? 'client_certificate' : 'no_common_cipher';
  const known = alert === undefined ? detailByCode.get(code) : detailByAlert.get(Number(alert));
  if (known) return known;
  // OpenSSL has such words for keys, signatures and parameters, and Node no code for most of them.
  if (/too[ _](?:weak|small)/i.test(`${code} ${error?.message}`)) return 'weak_key';
  if (error === undefined || closings.has(code)) return 'handshake_closed';
  return code.startsWith('ERR_SSL_') ? 'handshake_failed' : 'bad_certificate';
}

/** The alert by which a server also says that it misses something, and not what. */
const handshakeFailure = '40';

/** Node says ECONNRESET for every connection that ends before TLS is set up. */
const closings = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT']);

/** By RFC 8446, section 6. Alerts about a certificate are about ours, because they come from the server. */
const detailByAlert = new Map<number, FailureDetail>([
  [42, 'client_certificate'],
  [43, 'client_certificate'],
  [46, 'client_certificate'],
  [48, 'client_certificate'],
  [70, 'old_tls'],
  [71, 'no_common_cipher'],
  [112, 'unknown_host'],
  [116, 'client_certificate'],
  [120, 'http_2_only'],
]);

const detailByCode = new Map<string, FailureDetail>([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'unknown_authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown_authority'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown_authority'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown_authority'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'wrong_name'],
  ['HOSTNAME_MISMATCH', 'wrong_name'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not_yet_valid'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'old_tls'],
  ['ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED', 'old_tls'],
  ['ERR_SSL_NO_SHARED_CIPHER', 'no_common_cipher'],
  ['ERR_SSL_WRONG_CIPHER_RETURNED', 'no_common_cipher'],
  ['ERR_SSL_WRONG_SIGNATURE_TYPE', 'no_common_cipher'],
  ['ERR_TLS_DH_PARAM_SIZE', 'weak_key'],
  // OpenSSL takes the first bytes of an HTTP answer for this.
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'not_tls'],
]);
