<?php
// A receiver of Parley's webhooks for PHP 8.1 or newer, without packages. It stands behind a server that speaks HTTPS.
//   WEBHOOK_SECRET=... php -S 127.0.0.1:8000 receiver.php
declare(strict_types=1);

// A fault is answered with 500, so that the delivery comes again. Where PHP shows faults, it answers them with 200.
ini_set('display_errors', '0');
ini_set('log_errors', '1');

const TOLERANCE_SECONDS = 300;

$secret = (string) getenv('WEBHOOK_SECRET');
// With an empty key anybody can sign.
if ($secret === '') {
    http_response_code(500);
    exit('Set WEBHOOK_SECRET.');
}

// In constant time: how long it takes tells nothing of how much of a guess is right. The body is what came over the
// line: JSON that was parsed and written anew has other bytes.
function isFromParley(string $secret, string $body): bool
{
    // The key of webhook-signature is what follows whsec_, decoded. A secret of another form is its own key.
    $base64 = '~^whsec_(?=.)((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$~D';
    $key = preg_match($base64, $secret, $match) ? base64_decode($match[1]) : $secret;

    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $ofAll = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    if (!array_filter($signatures, fn (string $signature) => hash_equals($ofAll, $signature))) {
        return false;
    }
    // For a day after the secret was changed there are two, one by each secret. X-Service-Signature is by the new one.
    $ofBody = hash_hmac('sha256', $body, $secret);
    if (count($signatures) === 1 && !hash_equals($ofBody, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '')) {
        return false;
    }
    // Each attempt is signed anew. What is older was recorded by somebody.
    return preg_match('~^[0-9]+$~D', $timestamp) && abs(time() - (int) $timestamp) <= TOLERANCE_SECONDS;
}

// A delivery can come more than once. A file of each id, which one request alone can make, tells whether it is new;
// several servers need one place for them, such as a table where the id is unique.
function take(string $id): bool
{
    $folder = getenv('TAKEN_FOLDER') ?: sys_get_temp_dir() . '/parley-taken';
    @mkdir($folder, 0700, true);
    $path = $folder . '/' . hash('sha256', $id);
    $isNew = @fopen($path, 'x') !== false;
    // Otherwise Parley would be told that an event was taken which was not.
    if (!$isNew && !file_exists($path)) {
        throw new RuntimeException("$folder cannot be written to");
    }
    return $isNew;
}

// Here your work begins, after the answer. Where no event may be lost, store it before, and work on what is stored.
function work(string $id, array $event): void
{
    error_log("received $id {$event['event']}");
}

if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
    http_response_code(405);
    exit;
}
$body = (string) file_get_contents('php://input');
if (!isFromParley($secret, $body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
// Only for a dashboard webhook: a challenge asks whether you want events here. Its value goes back.
if (is_string($event['challenge'] ?? null)) {
    header('Content-Type: text/plain');
    exit($event['challenge']);
}
// End of the challenge.
// What has no event only asks whether this is healthy.
$id = $_SERVER['HTTP_WEBHOOK_ID'];
$isNew = isset($event['event']) && take($id);
http_response_code(200);
header('Content-Length: 0');
// Under PHP-FPM the answer goes out now.
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request();
}
if ($isNew) {
    work($id, $event);
}
