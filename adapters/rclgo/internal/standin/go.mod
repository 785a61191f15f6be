module github.com/tiiuae/rclgo

go 1.24.0
