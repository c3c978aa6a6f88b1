// Verifies the signature of a request of the shop with Java's standard library alone (11 or newer).
//
//   printf %s "$BODY" | SECRETS='whsec_new,whsec_old' java Verify.java "$ID" "$TIMESTAMP" "$SIGNATURE"
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    private static final long TOLERANCE_SECONDS = 300;

    /** secrets: every one that is good now. rawBody: the bytes as they came. now: seconds since 1970. */
    public static boolean isSigned(
            String[] secrets, String id, String timestamp, String signature, byte[] rawBody, long now)
            throws GeneralSecurityException {
        if (id.isEmpty() || !timestamp.matches("[0-9]{9,11}")) return false;
        if (Math.abs(now - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        boolean found = false;
        for (String secret : secrets) {
            byte[] key = Base64.getDecoder().decode(secret.startsWith("whsec_") ? secret.substring(6) : secret);
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            byte[] expected = Base64.getEncoder().encode(mac.doFinal(rawBody));
            for (String one : signature.split(" ")) {
                if (!one.startsWith("v1,")) continue;
                // In constant time, and without leaving early: the time says nothing about which one fits.
                found |= MessageDigest.isEqual(expected, one.substring(3).getBytes(StandardCharsets.UTF_8));
            }
        }
        return found;
    }

    public static void main(String[] args) throws Exception {
        long now = args.length > 3 ? Long.parseLong(args[3]) : System.currentTimeMillis() / 1000;
        String[] secrets = System.getenv("SECRETS").split(",");
        boolean ok = isSigned(secrets, args[0], args[1], args[2], System.in.readAllBytes(), now);
        System.out.println(ok ? "signed" : "refused");
        System.exit(ok ? 0 : 1);
    }
}
