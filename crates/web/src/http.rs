//! As much of HTTP/1.1 as a local page needs: one small request, perhaps with the few fields of a
//! form, one answer, and the connection ends. Everything has a limit, so nobody can make us wait or fill our memory.
//! Connections themselves are in [`crate::connections`].

/// The longest head of a request: its first line and its headers.
const LONGEST_HEAD: usize = 8 * 1024;
/// The longest body, which only a form has.
const LONGEST_BODY: usize = 4 * 1024;

/// What a browser asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The path as it was sent, still encoded, without what follows a `?`.
    pub path: String,
    pub host: String,
    /// The page that asks, as browsers say it with every form.
    pub origin: Option<String>,
    pub is_head: bool,
    /// What was posted; `None` for a request that only asks.
    pub form: Option<Vec<u8>>,
}

/// What it gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Vec<u8>,
    /// The Content-Security-Policy.
    pub policy: String,
    /// Where to go from here, with status 303.
    pub location: Option<String>,
}

impl Response {
    /// A refusal tells the number and no more.
    pub fn refusal(status: u16) -> Self {
        Self {
            status,
            content_type: "text/plain; charset=utf-8",
            body: format!("{status} {}\n", reason(status)).into_bytes(),
            policy: "default-src 'none'; sandbox; form-action 'none'".to_owned(),
            location: None,
        }
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        409 => "Conflict",
        413 => "Content Too Large",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        _ => "Error",
    }
}

/// The head and the body of an answer, as they are sent.
pub fn to_bytes(response: &Response, is_head: bool) -> Vec<u8> {
    let location = match &response.location {
        Some(place) => format!("Location: {place}\r\n"),
        None => String::new(),
    };
    let mut bytes = format!(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Referrer-Policy: same-origin\r\nContent-Security-Policy: {}\r\n{location}\r\n",
        response.status,
        reason(response.status),
        response.content_type,
        response.body.len(),
        response.policy
    )
    .into_bytes();
    if !is_head {
        bytes.extend_from_slice(&response.body);
    }
    bytes
}

/// What has come of a request so far: nothing to say yet, a request, or the status that refuses it.
pub fn read_so_far(bytes: &[u8], is_end: bool) -> Option<Result<Request, u16>> {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
        let too_long = (bytes.len() > LONGEST_HEAD).then_some(Err(431));
        return too_long.or_else(|| is_end.then_some(Err(400)));
    };
    if end > LONGEST_HEAD {
        return Some(Err(431));
    }
    let (mut request, length) = match parse(&bytes[..end]) {
        Ok(parsed) => parsed,
        Err(status) => return Some(Err(status)),
    };
    let body = &bytes[end + 4..];
    if body.len() < length {
        return is_end.then_some(Err(400));
    }
    if let Some(form) = &mut request.form {
        *form = body[..length].to_vec();
    }
    Some(Ok(request))
}

/// A request without its body, and the length of that.
fn parse(head: &[u8]) -> Result<(Request, usize), u16> {
    let head = std::str::from_utf8(head).map_err(|_| 400_u16)?;
    let mut lines = head.split("\r\n");
    let mut first = lines.next().unwrap_or("").split(' ');
    let (method, target, version) = match (first.next(), first.next(), first.next(), first.next()) {
        (Some(method), Some(target), Some(version), None) => (method, target, version),
        _ => return Err(400),
    };
    if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return Err(400);
    }
    if !["GET", "HEAD", "POST"].contains(&method) {
        return Err(405);
    }
    let is_post = method == "POST";
    let mut host = String::new();
    let mut origin = None;
    let mut length = 0;
    for line in lines {
        let (name, value) = line.split_once(':').ok_or(400_u16)?;
        let value = value.trim();
        match name.to_ascii_lowercase().as_str() {
            "host" => host = value.to_owned(),
            "origin" => origin = Some(value.to_owned()),
            "content-length" => {
                length = value.parse().map_err(|_| 400_u16)?;
                if length > if is_post { LONGEST_BODY } else { 0 } {
                    return Err(413);
                }
            }
            "transfer-encoding" => return Err(413),
            _ => {}
        }
    }
    let request = Request {
        path: target.split('?').next().unwrap_or("").to_owned(),
        host,
        origin,
        is_head: method == "HEAD",
        form: is_post.then(Vec::new),
    };
    Ok((request, length))
}

/// The fields of a form in their order.
pub fn form_fields(body: &[u8]) -> Option<Vec<(String, String)>> {
    let text = std::str::from_utf8(body).ok()?;
    let part = |part: &str| decode(&part.replace('+', " "));
    text.split('&')
        .filter(|field| !field.is_empty())
        .map(|field| {
            let (name, value) = field.split_once('=').unwrap_or((field, ""));
            Some((part(name)?, part(value)?))
        })
        .collect()
}

/// A path with its percent escapes read; `None` if they are broken or hide what is not text.
pub fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'%' => {
                let digit = |b: Option<u8>| char::from(b?).to_digit(16);
                bytes.push((digit(rest.next())? * 16 + digit(rest.next())?) as u8);
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_or_refused() {
        let status = |head: &str| parse(head.as_bytes()).map(|parsed| parsed.0.path);
        assert_eq!(status("GET /a?b HTTP/1.1\r\nHost: h"), Ok("/a".to_owned()));
        assert_eq!(status("PUT / HTTP/1.1"), Err(405));
        let post =
            |length: &str| parse(format!("POST / HTTP/1.1\r\nContent-Length: {length}").as_bytes());
        assert_eq!(post("5").map(|parsed| parsed.1), Ok(5));
        assert_eq!(post("4097").map(|parsed| parsed.1), Err(413));
        assert_eq!(post("-1").map(|parsed| parsed.1), Err(400));
        assert_eq!(status("GET / HTTP/1.1\r\nContent-Length: 5"), Err(413));
        assert_eq!(
            status("GET / HTTP/1.1\r\nTransfer-Encoding: chunked"),
            Err(413)
        );
        assert_eq!(status("GET http://x/ HTTP/1.1"), Err(400));
        assert_eq!(status("GET / HTTP/1.1\r\nno colon"), Err(400));
        assert_eq!(status(""), Err(400));
    }

    #[test]
    fn a_request_may_come_in_pieces_and_not_in_too_many() {
        let whole = b"POST /t/again HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabcdef";
        for end in 0..whole.len() - 3 {
            assert_eq!(read_so_far(&whole[..end], false), None, "{end}");
            assert_eq!(read_so_far(&whole[..end], true), Some(Err(400)), "{end}");
        }
        let request = read_so_far(whole, false).unwrap().unwrap();
        assert_eq!(request.form.as_deref(), Some(&b"abc"[..]));
        assert_eq!(
            read_so_far(&[b'x'; LONGEST_HEAD + 1], false),
            Some(Err(431))
        );
    }

    #[test]
    fn a_form_is_its_fields() {
        let fields = form_fields(b"a=1+2&b=%3D&c").unwrap();
        let expected = [("a", "1 2"), ("b", "="), ("c", "")];
        assert!(fields.iter().map(|(n, v)| (&n[..], &v[..])).eq(expected));
        assert_eq!(form_fields(b"a=%zz"), None);
        assert_eq!(form_fields(b"\xff=1"), None);
    }

    #[test]
    fn broken_escapes_are_not_paths() {
        assert_eq!(decode("/a%20b%C3%BC").as_deref(), Some("/a bü"));
        for broken in ["%", "%4", "%zz", "%ff", "%+1"] {
            assert_eq!(decode(broken), None, "{broken}");
        }
    }
}
