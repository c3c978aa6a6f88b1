// Verifies the signature of a request of the shop with the library of .NET alone (Core 2.1 or newer, and Mono 6).
//
//   printf %s "$BODY" | SECRETS='whsec_new,whsec_old' dotnet run Verify.cs -- "$ID" "$TIMESTAMP" "$SIGNATURE"
using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class Verify
{
    private const long ToleranceSeconds = 300;

    /// <param name="secrets">every one that is good now</param>
    /// <param name="rawBody">the bytes as they came</param>
    /// <param name="now">seconds since 1970</param>
    public static bool IsSigned(
        string[] secrets, string id, string timestamp, string signature, byte[] rawBody, long now)
    {
        if (id == "" || !Regex.IsMatch(timestamp, @"\A[0-9]{9,11}\z")) return false;
        if (Math.Abs(now - long.Parse(timestamp)) > ToleranceSeconds) return false;
        byte[] head = Encoding.UTF8.GetBytes(id + "." + timestamp + ".");
        byte[] text = new byte[head.Length + rawBody.Length];
        head.CopyTo(text, 0);
        rawBody.CopyTo(text, head.Length);
        bool found = false;
        foreach (string secret in secrets)
        {
            byte[] key = Convert.FromBase64String(secret.StartsWith("whsec_") ? secret.Substring(6) : secret);
            byte[] expected;
            using (var hmac = new HMACSHA256(key))
                expected = Encoding.ASCII.GetBytes(Convert.ToBase64String(hmac.ComputeHash(text)));
            foreach (string one in signature.Split(' '))
            {
                if (!one.StartsWith("v1,")) continue;
                // In constant time, and without leaving early: the time says nothing about which one fits.
                found |= CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(one.Substring(3)));
            }
        }
        return found;
    }

    public static int Main(string[] args)
    {
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        long now = args.Length > 3 ? long.Parse(args[3]) : DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        string[] secrets = Environment.GetEnvironmentVariable("SECRETS").Split(',');
        bool ok = IsSigned(secrets, args[0], args[1], args[2], body.ToArray(), now);
        Console.WriteLine(ok ? "signed" : "refused");
        return ok ? 0 : 1;
    }
}
