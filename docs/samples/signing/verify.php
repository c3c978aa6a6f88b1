<?php
// Verifies the signature of a request of the shop with PHP's standard library alone (8.0 or newer).
//
//   printf %s "$BODY" | SECRETS='whsec_new,whsec_old' php verify.php "$ID" "$TIMESTAMP" "$SIGNATURE"
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/**
 * @param string[] $secrets every one that is good now
 * @param string $rawBody the bytes as they came: file_get_contents('php://input')
 * @param int $now seconds since 1970
 */
function isSigned(array $secrets, string $id, string $timestamp, string $signature, string $rawBody, int $now): bool
{
    if ($id === '' || preg_match('/\A[0-9]{9,11}\z/', $timestamp) !== 1) {
        return false;
    }
    if (abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $found = false;
    foreach ($secrets as $secret) {
        $key = base64_decode(preg_replace('/\Awhsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new InvalidArgumentException('a secret is no base64');
        }
        $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true));
        foreach (explode(' ', $signature) as $one) {
            // In constant time, and without leaving early: the time says nothing about which one fits.
            if (str_starts_with($one, 'v1,') && hash_equals($expected, substr($one, 3))) {
                $found = true;
            }
        }
    }
    return $found;
}

if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    [, $id, $timestamp, $signature] = $argv;
    $body = stream_get_contents(STDIN);
    $ok = isSigned(explode(',', getenv('SECRETS')), $id, $timestamp, $signature, $body, (int) ($argv[4] ?? time()));
    echo $ok ? "signed\n" : "refused\n";
    exit($ok ? 0 : 1);
}
